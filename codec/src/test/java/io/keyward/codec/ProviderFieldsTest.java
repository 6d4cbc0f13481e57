package io.keyward.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.core.model.kms.ProviderSpec;
import io.keyward.core.model.kms.ProviderType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Which field of a KMS configuration means what: the code, the schema and the page say the same.
final class ProviderFieldsTest {
  private static final Path SCHEMA = Path.of("../deploy/crds/config.openshift.io_apiservers.yaml");
  private static final Path PAGE = Path.of("../docs/reference/kms-providers.md");

  @ParameterizedTest
  @EnumSource(ProviderType.class)
  void everyFieldOfTheSchemaIsInTheTable(ProviderType type) throws IOException {
    JsonNode kms =
        Json.read(Files.readString(SCHEMA))
            .orElseThrow()
            .at(
                "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/encryption"
                    + "/properties/kms/properties");
    var known = new TreeSet<>(type.remoteKeyFields());
    known.addAll(type.inPlaceFields());
    assertThat(leaves("", kms.path(type.member()))).isEqualTo(known);
    assertThat(kms.at("/type/enum").toString()).contains("\"" + type.word() + "\"");
  }

  private static SortedSet<String> leaves(String path, JsonNode schema) {
    var found = new TreeSet<String>();
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      String name = path.isEmpty() ? member.getKey() : path + "." + member.getKey();
      if (member.getValue().path("properties").isEmpty()) {
        found.add(name);
      } else {
        found.addAll(leaves(name, member.getValue()));
      }
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource(ProviderType.class)
  void aFieldThatNamesTheRemoteKeyMakesAnotherAndNoOtherDoes(ProviderType type) {
    for (String field : type.remoteKeyFields()) {
      assertThat(changed(type, field).remoteKey()).as(field).isNotEqualTo(whole(type).remoteKey());
    }
    for (String field : type.inPlaceFields()) {
      assertThat(changed(type, field).remoteKey()).as(field).isEqualTo(whole(type).remoteKey());
      assertThat(changed(type, field)).as(field).isNotEqualTo(whole(type));
    }
    if (whole(type).fields().containsKey("kmsPluginImage")) {
      var own = new TreeMap<>(whole(type).fields());
      own.remove("kmsPluginImage");
      assertThat(new ProviderSpec(type.word(), own).remoteKey())
          .as("a plugin of another make cannot read what Keyward's stored")
          .isNotEqualTo(whole(type).remoteKey());
    }
    assertThat(changed(type, "fieldOfALaterRelease").remoteKey())
        .isNotEqualTo(whole(type).remoteKey());
    for (ProviderType other : ProviderType.values()) {
      boolean same = new ProviderSpec(other.word(), whole(type).fields()).equals(whole(type));
      assertThat(same).isEqualTo(other == type);
    }
  }

  private static ProviderSpec whole(ProviderType type) {
    var fields = new TreeMap<String, String>();
    type.remoteKeyFields().forEach(field -> fields.put(field, "a"));
    type.inPlaceFields().forEach(field -> fields.put(field, "a"));
    return new ProviderSpec(type.word(), fields);
  }

  private static ProviderSpec changed(ProviderType type, String field) {
    var fields = new TreeMap<>(whole(type).fields());
    fields.put(field, "b");
    return new ProviderSpec(type.word(), fields);
  }

  @Test
  void thePageShowsWhatTheCodeDoes() throws IOException {
    var expected = new ArrayList<String>();
    for (ProviderType type : ProviderType.values()) {
      expected.add(
          "| `%s` | %s | %s |"
              .formatted(type.word(), words(type.remoteKeyFields()), words(type.inPlaceFields())));
    }
    String page = Files.readString(PAGE);
    String head = "| type | names the remote key | changed in place |\n|---|---|---|\n";
    int from = page.indexOf(head) + head.length();
    assertThat(page.substring(from, page.indexOf("\n\n", from)).lines().toList())
        .isEqualTo(expected);
  }

  private static String words(List<String> fields) {
    return fields.stream().map(field -> "`" + field + "`").collect(Collectors.joining(", "));
  }
}
