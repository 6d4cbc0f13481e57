package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.kms.ProviderSpec;
import io.keyward.core.model.kms.ReferencedObject;
import io.keyward.kms.plugin.Providers;
import io.keyward.kms.plugin.revision.KmsField;
import io.keyward.kms.plugin.revision.KmsType;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// Every field of a KMS in the custom resources is a setting of the plugin that serves it, and
/// every such setting exists.
final class KmsFieldsIT {
  private static final Path DOCUMENTED = Path.of("../docs/reference/kms-providers.md");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../deploy/crds/keyward.io_clusterencryptions.yaml",
        "../deploy/crds/config.openshift.io_apiservers.yaml"
      })
  void everyFieldIsKnown(Path definition) throws IOException {
    Map<?, ?> kms = member(Files.readString(definition), "kms");
    for (KmsType type : KmsType.values()) {
      var known = new TreeSet<String>();
      type.fields().forEach(field -> known.add(field.path()));
      assertThat(leaves("", ((Map<?, ?>) property(kms)).get(type.member())))
          .as(type.word())
          .containsExactlyInAnyOrderElementsOf(known);
    }
    var members = new TreeSet<>(List.of("type", "external"));
    for (KmsType type : KmsType.values()) {
      members.add(type.member());
    }
    assertThat(((Map<?, ?>) property(kms)).keySet())
        .map(Object::toString)
        .hasSameElementsAs(members);
  }

  @ParameterizedTest
  @EnumSource
  void everySettingExists(KmsType type) {
    KmsProviderFactory factory = Providers.load().get(type.provider());
    assertThat(factory).isNotNull();
    var settings = new TreeSet<String>();
    for (KmsField field : type.fields()) {
      settings.addAll(field.use().settings());
    }
    assertThat(factory.settings()).extracting(Setting::name).containsAll(settings);
    assertThat(settings)
        .containsAll(
            factory.settings().stream().filter(Setting::required).map(Setting::name).toList());
  }

  /// The operator copies what the plugin will look for, and nothing else.
  @ParameterizedTest
  @EnumSource
  void everyReferenceIsCopied(KmsType type) {
    var logins = new TreeSet<>(List.of(""));
    for (KmsField field : type.fields()) {
      field.login().ifPresent(logins::add);
    }
    for (String login : logins) {
      var fields = new TreeMap<String, String>();
      var expected = new TreeSet<String>();
      for (KmsField field : type.fields()) {
        String value = field.path().equals("authentication.type") ? login : "name";
        fields.put(field.path(), value);
        if (field.login().filter(one -> !one.equals(login)).isEmpty()) {
          field.dataKey().ifPresent(expected::add);
        }
      }
      var copied = new TreeSet<String>();
      ReferencedObject.of(new ProviderSpec(type.word(), fields))
          .forEach(one -> copied.addAll(one.dataKeys()));
      assertThat(copied).as(type + " " + login).isEqualTo(expected);
    }
  }

  @Test
  void theTableIsDocumented() throws IOException {
    var rows = new ArrayList<String>();
    for (KmsType type : KmsType.values()) {
      for (KmsField field : type.fields()) {
        rows.add(row(type, field));
      }
    }
    assertThat(Files.readString(DOCUMENTED)).contains(String.join("\n", rows));
  }

  private static String row(KmsType type, KmsField field) {
    return "| `%s` | `%s` | %s |"
        .formatted(
            type.word(),
            field.path(),
            field.words() + field.login().map(login -> " (with `" + login + "`)").orElse(""));
  }

  private static Map<?, ?> member(String yaml, String name) {
    Object root = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return find(root, name);
  }

  /// The first schema of that name.
  private static Map<?, ?> find(Object tree, String name) {
    var open = new ArrayList<Object>(List.of(tree));
    while (!open.isEmpty()) {
      Object next = open.removeFirst();
      if (next instanceof Map<?, ?> map) {
        if (map.get(name) instanceof Map<?, ?> found && found.containsKey("properties")) {
          return found;
        }
        open.addAll(map.values());
      } else if (next instanceof List<?> list) {
        open.addAll(list);
      }
    }
    throw new AssertionError("no schema of " + name);
  }

  private static Object property(Map<?, ?> schema) {
    return schema.get("properties");
  }

  private static List<String> leaves(String path, Object schema) {
    var found = new ArrayList<String>();
    if (schema instanceof Map<?, ?> map && map.get("properties") instanceof Map<?, ?> members) {
      members.forEach((name, member) ->
          found.addAll(leaves(path.isEmpty() ? name.toString() : path + "." + name, member)));
      return found;
    }
    return List.of(path);
  }
}
