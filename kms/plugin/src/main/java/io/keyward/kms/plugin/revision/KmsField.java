package io.keyward.kms.plugin.revision;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A field of a KMS configuration, and the settings of the provider that it becomes.
///
/// @param path below the member of its type, for example `tls.caBundle.name`
/// @param login the authentication type for which this applies; empty for all
public record KmsField(String path, Optional<String> login, Use use) {
  /// What becomes of the value.
  public sealed interface Use {
    /// The settings that it becomes; empty where it is for somebody else.
    default List<String> settings() {
      return switch (this) {
        case Text(var setting) -> List.of(setting);
        case Words(var setting, _) -> setting.isEmpty() ? List.of() : List.of(setting);
        case Filled(var setting, _) -> List.of(setting);
        case FileOf(_, _, var setting) -> List.of(setting);
        case ContentOf(_, var setting) -> List.of(setting);
        case TransitKey _ -> List.of("mount", "key");
        case Elsewhere _ -> List.of();
      };
    }
  }

  /// The data key of the object that the value names, where it names one.
  public Optional<String> dataKey() {
    return switch (use) {
      case FileOf(_, var dataKey, _) -> Optional.of(dataKey);
      case ContentOf(var dataKey, _) -> Optional.of(dataKey);
      case Text _, Words _, Filled _, TransitKey _, Elsewhere _ -> Optional.empty();
    };
  }

  /// The right side of the table in the reference.
  public String words() {
    return switch (use) {
      case Text(var setting) -> "`" + setting + "`";
      case Words(var setting, _) ->
          setting.isEmpty() ? "selects the credentials below" : "`" + setting + "`, translated";
      case Filled(var setting, var text) -> "`" + setting + "`, as `" + text + "`";
      case TransitKey _ -> "`mount` and `key`";
      case FileOf(var kind, var dataKey, var setting) ->
          "`" + setting + "`: the file with the data key `" + dataKey + "` of the " + kind.kind();
      case ContentOf(var dataKey, var setting) ->
          "`" + setting + "`: the content of the data key `" + dataKey + "` of the Secret";
      case Elsewhere(var user) -> "none: " + user;
    };
  }

  /// The value is the setting.
  record Text(String setting) implements Use {}

  /// The value is translated; a word that is not listed is refused, and an empty translation sets
  /// nothing.
  record Words(String setting, Map<String, String> words) implements Use {
    public Words {
      words = Map.copyOf(words);
    }
  }

  /// The value is part of the setting: `%s` stands for it.
  record Filled(String setting, String text) implements Use {}

  /// `mount/keys/name` of a transit engine.
  record TransitKey() implements Use {}

  /// The value names a Secret or a ConfigMap, and the setting is the path of a file with one of its
  /// data keys.
  record FileOf(Reference kind, String dataKey, String setting) implements Use {}

  /// The value names a Secret, and the setting is the content of one of its data keys.
  record ContentOf(String dataKey, String setting) implements Use {}

  /// No setting of a plugin.
  ///
  /// @param user what uses the value
  record Elsewhere(String user) implements Use {}

  /// What a field may refer to, with the prefix of its files in a revision.
  public enum Reference {
    SECRET("Secret", "kms-plugin-secret-"),
    CONFIG_MAP("ConfigMap", "kms-plugin-configmap-");

    private final String kind;
    private final String prefix;

    Reference(String kind, String prefix) {
      this.kind = kind;
      this.prefix = prefix;
    }

    String kind() {
      return kind;
    }

    /// The name of the file with a data key of an object, for one key.
    String file(String object, String dataKey, String serial) {
      return prefix + object + "_" + dataKey + "-" + serial;
    }
  }

  static KmsField text(String path, String setting) {
    return of(path, new Text(setting));
  }

  static KmsField of(String path, Use use) {
    return new KmsField(path, Optional.empty(), use);
  }

  /// A data key of the Secret in `authentication.secret.name`, as a file.
  static KmsField credential(String login, String dataKey, String setting) {
    return new KmsField(
        "authentication.secret.name",
        Optional.of(login),
        new FileOf(Reference.SECRET, dataKey, setting));
  }

  static KmsField image() {
    return of("kmsPluginImage", new Elsewhere("the container of the plugin"));
  }

  static KmsField caBundle() {
    return of("tls.caBundle.name", new FileOf(Reference.CONFIG_MAP, "ca-bundle.crt", "caFile"));
  }

  static KmsField login(String setting, Map<String, String> words) {
    return of("authentication.type", new Words(setting, words));
  }
}
