package io.keyward.storage.config;

import io.keyward.storage.config.text.ConfigNode;
import io.keyward.storage.config.text.DocumentReader;
import io.keyward.storage.config.text.SyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/// Text to [Raw.Config], as strictly as kube-apiserver: unknown and repeated fields are errors.
final class ConfigDecoder {
  private static final Map<String, String> KINDS =
      Map.of(
          "apiserver.config.k8s.io/v1", "EncryptionConfiguration",
          "v1", "EncryptionConfig",
          "/v1", "EncryptionConfig");

  private final Problems problems;
  private final NodeCursor cursor;

  ConfigDecoder(Problems problems) {
    this.problems = problems;
    this.cursor = new NodeCursor(problems);
  }

  /// What was read is meaningless once there are problems.
  Raw.Config decode(byte[] document) {
    try {
      Optional<ConfigNode> root = DocumentReader.read(document);
      if (root.isPresent()) {
        return config(root.get());
      }
      problems.add("", ConfigError.DECODE, "file is empty", "give a configuration");
    } catch (SyntaxException e) {
      problems.place("", e.line());
      problems.add("", ConfigError.DECODE, e.problem(), e.remedy());
    }
    return new Raw.Config(List.of());
  }

  private Raw.Config config(ConfigNode root) {
    var fields = cursor.fields(root, "", Set.of("apiVersion", "kind", "resources"));
    checkKind(text(fields, "", "apiVersion"), text(fields, "", "kind"));
    return new Raw.Config(list(fields, "", "resources", this::entry));
  }

  private void checkKind(String apiVersion, String kind) {
    if (!kind.equals(KINDS.get(apiVersion))) {
      problems.add(
          kind.isEmpty() ? "kind" : "apiVersion",
          ConfigError.DECODE,
          "not an EncryptionConfiguration",
          "write apiVersion: apiserver.config.k8s.io/v1 and kind: EncryptionConfiguration");
    }
  }

  private Raw.Entry entry(ConfigNode node, String path) {
    var fields = cursor.fields(node, path, Set.of("resources", "providers"));
    return new Raw.Entry(
        list(fields, path, "resources", (item, at) -> cursor.text(Optional.of(item), at)),
        list(fields, path, "providers", this::element));
  }

  private Raw.Element element(ConfigNode node, String path) {
    var fields =
        cursor.fields(node, path, Set.of("aesgcm", "aescbc", "secretbox", "identity", "kms"));
    Optional<ConfigNode> identity = Optional.ofNullable(fields.get("identity"));
    identity.ifPresent(object -> cursor.fields(object, path + ".identity", Set.of()));
    return new Raw.Element(
        keys(fields, path, "aesgcm"),
        keys(fields, path, "aescbc"),
        keys(fields, path, "secretbox"),
        identity.isPresent(),
        Optional.ofNullable(fields.get("kms")).map(kms -> kms(kms, path + ".kms")));
  }

  private Optional<List<Raw.Key>> keys(Map<String, ConfigNode> element, String path, String mode) {
    String at = path + "." + mode;
    return Optional.ofNullable(element.get(mode))
        .map(node -> list(cursor.fields(node, at, Set.of("keys")), at, "keys", this::key));
  }

  private Raw.Key key(ConfigNode node, String path) {
    var fields = cursor.fields(node, path, Set.of("name", "secret"));
    return new Raw.Key(text(fields, path, "name"), text(fields, path, "secret"));
  }

  private Raw.Kms kms(ConfigNode node, String path) {
    var fields =
        cursor.fields(node, path, Set.of("apiVersion", "name", "cachesize", "endpoint", "timeout"));
    return new Raw.Kms(
            text(fields, path, "apiVersion"),
            text(fields, path, "name"),
            text(fields, path, "endpoint"),
            cursor.integer(Optional.ofNullable(fields.get("cachesize")), path + ".cachesize"),
            timeout(fields, path))
        .withDefaults();
  }

  private Optional<Duration> timeout(Map<String, ConfigNode> kms, String path) {
    if (!kms.containsKey("timeout")) {
      return Optional.empty();
    }
    Optional<Duration> timeout = GoDuration.parse(text(kms, path, "timeout"));
    if (timeout.isEmpty()) {
      problems.add(path + ".timeout", ConfigError.DECODE, "not a duration", "write for example 3s");
    }
    return timeout;
  }

  private String text(Map<String, ConfigNode> fields, String path, String name) {
    return cursor.text(Optional.ofNullable(fields.get(name)), join(path, name));
  }

  private <T> List<T> list(
      Map<String, ConfigNode> fields,
      String path,
      String name,
      BiFunction<ConfigNode, String, T> read) {
    ConfigNode node = fields.get(name);
    var items = new ArrayList<T>();
    if (node != null) {
      String at = join(path, name);
      for (ConfigNode item : cursor.items(node, at)) {
        items.add(read.apply(item, at + "[" + items.size() + "]"));
      }
    }
    return items;
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
