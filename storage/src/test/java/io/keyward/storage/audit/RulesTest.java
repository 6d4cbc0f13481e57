package io.keyward.storage.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.Vectors;
import io.keyward.storage.resource.EtcdKey;
import io.keyward.storage.resource.GroupResource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RulesTest {
  private static final Map<String, JsonNode> VECTORS =
      Vectors.lines("public.jsonl").stream()
          .collect(Collectors.toMap(line -> line.get("id").asText(), Function.identity()));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                             | value              | encrypted  | key          | unused key   | unused kek    | finding
          plaintext that nobody minds        | identity/004       | configmaps | -            | -            | -             | -
          plaintext that must not be         | identity/004       | secrets    | -            | -            | -             | PLAINTEXT
          a wildcard covers its group        | identity/004       | *.         | -            | -            | -             | PLAINTEXT
          a wildcard covers everything       | identity/004       | *.*        | -            | -            | -             | PLAINTEXT
          another group is not covered       | identity/004       | *.apps     | -            | -            | -             | -
          sealed is fine                     | aescbc/001         | secrets    | -            | -            | -             | -
          the wanted key                     | aescbc/001         | secrets    | key1         | -            | -             | -
          another key                        | aescbc/001         | secrets    | key2         | -            | -             | UNEXPECTED_KEY
          a name is not a beginning          | aescbc/001         | secrets    | key          | -            | -             | UNEXPECTED_KEY
          the wanted KEK                     | kmsv2-seed/001     | secrets    | key-alpha8772 | -           | -             | -
          a key that should be unused        | aescbc/001         | -          | -            | key1         | -             | KEY_IN_USE
          another key is unused              | aescbc/001         | -          | -            | key2         | -             | -
          a provider that should be unused   | kmsv2-seed/001     | -          | -            | kms-public-1 | -             | KEY_IN_USE
          a name with colons                 | kmsv1/011          | -          | -            | aws:kms:alpha3511 | -        | MALFORMED KEY_IN_USE
          a KEK that should be unused        | kmsv2-seed/001     | -          | -            | -            | key-alpha8772 | KEK_IN_USE
          the same KEK by its hash           | kmsv2-seed/001     | -          | -            | -            | sha256:0e37b431f837d2d931689ea36c9e9622e26edf1599c44cbec093269804b9ae88 | KEK_IN_USE
          another KEK is unused              | kmsv2-seed/001     | -          | -            | -            | key-other     | -
          KMS v1 cannot prove it             | kmsv1/001          | -          | -            | -            | key-other     | KEY_UNKNOWABLE
          nobody can read it                 | kmsv2-seed/058     | -          | -            | -            | -             | MALFORMED
          """)
  void holdsObjectsToTheLaw(
      String name,
      String value,
      String encrypted,
      String key,
      String unusedKey,
      String unusedKek,
      String finding) {
    JsonNode vector = Objects.requireNonNull(VECTORS.get("public/" + value));
    ByteView etcdKey = ByteView.utf8("/registry/secrets/shop/card");
    StoredObject object =
        StoredObject.of(
            etcdKey, EtcdKey.parse(etcdKey), Vectors.base64(vector.get("storedValue")), 7);
    var expected =
        new Expectation(
            given(encrypted).map(GroupResource::parse).map(Set::of).orElse(Set.of()),
            Set.of(),
            given(key),
            given(unusedKey).map(Set::of).orElse(Set.of()),
            given(unusedKek).map(Set::of).orElse(Set.of()));
    String found =
        Stream.concat(Stream.<AuditRule>of(Rules::malformed), Rules.LIVE.stream())
            .flatMap(rule -> rule.check(object, expected).stream())
            .map(each -> each.rule().name())
            .collect(Collectors.joining(" "));
    assertThat(found.isEmpty() ? "-" : found).isEqualTo(finding);
  }

  private static Optional<String> given(String word) {
    return word.equals("-") ? Optional.empty() : Optional.of(word);
  }
}
