package io.keyward.kms.plugin.revision;

import io.keyward.kms.plugin.revision.KmsField.ContentOf;
import io.keyward.kms.plugin.revision.KmsField.Elsewhere;
import io.keyward.kms.plugin.revision.KmsField.FileOf;
import io.keyward.kms.plugin.revision.KmsField.Filled;
import io.keyward.kms.plugin.revision.KmsField.Reference;
import io.keyward.kms.plugin.revision.KmsField.Text;
import io.keyward.kms.plugin.revision.KmsField.TransitKey;
import io.keyward.kms.plugin.revision.KmsField.Words;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// Turns the fields of one key into settings of its provider.
final class FieldReader {
  private static final String LOGIN = "authentication.type";
  private static final String KEYS = "/keys/";

  private final RevisionDirectory files;
  private final String serial;
  private final BiConsumer<String, String> wrong;
  private final Map<String, String> settings = new TreeMap<>();

  /// @param wrong is told the file and the problem
  FieldReader(RevisionDirectory files, String serial, BiConsumer<String, String> wrong) {
    this.files = files;
    this.serial = serial;
    this.wrong = wrong;
  }

  Map<String, String> settings(String file, KmsType type, Map<String, String> fields) {
    String login = fields.getOrDefault(LOGIN, "");
    for (String path : fields.keySet()) {
      if (type.fields().stream().noneMatch(one -> one.path().equals(path))) {
        wrong.accept(file, "has the field " + path + ", which this plugin does not know");
      }
    }
    for (KmsField field : type.fields()) {
      String value = fields.get(field.path());
      if (value != null && field.login().filter(one -> !one.equals(login)).isEmpty()) {
        apply(file, field, value);
      }
    }
    return settings;
  }

  private void apply(String file, KmsField field, String value) {
    switch (field.use()) {
      case Text(var setting) -> settings.put(setting, value);
      case Filled(var setting, var text) -> settings.put(setting, text.replace("%s", value));
      case Words(var setting, var words) -> {
        String translated = words.get(value);
        if (translated == null) {
          wrong.accept(file, "has an unknown value in " + field.path() + ": " + value);
        } else if (!translated.isEmpty()) {
          settings.put(setting, translated);
        }
      }
      case TransitKey _ -> {
        int border = value.lastIndexOf(KEYS);
        if (border < 1) {
          wrong.accept(file, field.path() + " must be MOUNT/keys/NAME: " + value);
        } else {
          settings.put("mount", value.substring(0, border));
          settings.put("key", value.substring(border + KEYS.length()));
        }
      }
      case FileOf(var kind, var dataKey, var setting) ->
          reference(kind, value, dataKey)
              .ifPresent(name -> settings.put(setting, files.file(name).toString()));
      case ContentOf(var dataKey, var setting) ->
          reference(Reference.SECRET, value, dataKey)
              .flatMap(this::content)
              .ifPresent(text -> settings.put(setting, text));
      case Elsewhere _ -> {}
    }
  }

  private Optional<String> reference(Reference kind, String object, String dataKey) {
    String name = kind.file(object, dataKey, serial);
    if (files.has(name)) {
      return Optional.of(name);
    }
    wrong.accept(name, "does not exist");
    return Optional.empty();
  }

  private Optional<String> content(String name) {
    try {
      return files.text(name).map(String::strip);
    } catch (IOException _) {
      wrong.accept(name, "cannot be read");
      return Optional.empty();
    }
  }
}
