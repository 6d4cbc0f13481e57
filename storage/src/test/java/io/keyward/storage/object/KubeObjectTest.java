package io.keyward.storage.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.etcd.bytes.ByteView;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Real servers and all kinds are for the end-to-end tests; here is what no server writes today.
final class KubeObjectTest {
  /// `k8s`, then version and kind of a ConfigMap.
  private static final String HEAD = "6b387300" + "0a0f" + "0a027631" + "1209436f6e6669674d6170";

  @Test
  void fieldsOfANewerKubernetesAreNamed() {
    // metadata {name "a", field 99}, field 42.
    var object = (KubeObject.Decoded) decode("120c" + "0a060a016198060" + "1" + "d20201" + "78");
    assertThat(object.unknown()).containsExactly("#42", "metadata.#99");
    assertThat(object.fields()).containsEntry("metadata", Map.of("name", "a"));
  }

  @Test
  void damageGivesTheBytesAndWhatIsKnownOfThem() {
    assertThat(decode("1203" + "0a0961"))
        .isInstanceOfSatisfying(
            KubeObject.Raw.class, raw -> assertThat(raw.kind()).isEqualTo("ConfigMap"));
  }

  @Test
  void theSchemaKnowsTheTypesOfKubernetes() {
    assertThat(Schema.kubernetes().kinds()).isGreaterThan(150);
    assertThat(Schema.kubernetes().message("apps/v1", "Deployment")).contains("apps/v1.Deployment");
    assertThat(Schema.kubernetes().message("apps/v1", "Nothing")).isEmpty();
  }

  @Test
  void aDefinitionOfTheOlderFormBecomesOneThatServersTake() {
    var spec =
        Map.of(
            "version",
            "v1",
            "validation",
            Map.of("openAPIV3Schema", Map.of("type", "object")),
            "additionalPrinterColumns",
            List.of(Map.of("name", "Age", "JSONPath", ".a")),
            "conversion",
            Map.of("strategy", "Webhook", "webhookClientConfig", Map.of("url", "https://a")),
            "versions",
            List.of(Map.of("name", "v1")));
    Map<String, ?> form =
        ApplyForm.of(
            Map.of(
                "apiVersion",
                "apiextensions.k8s.io/v1beta1",
                "kind",
                "CustomResourceDefinition",
                "spec",
                spec));
    assertThat(form.get("apiVersion")).isEqualTo("apiextensions.k8s.io/v1");
    assertThat(form.get("spec"))
        .isEqualTo(
            Map.of(
                "versions",
                List.of(
                    Map.of(
                        "name",
                        "v1",
                        "schema",
                        Map.of("openAPIV3Schema", Map.of("type", "object")),
                        "additionalPrinterColumns",
                        List.of(Map.of("name", "Age", "jsonPath", ".a")))),
                "conversion",
                Map.of(
                    "strategy",
                    "Webhook",
                    "webhook",
                    Map.of("clientConfig", Map.of("url", "https://a")))));
  }

  private static KubeObject decode(String message) {
    return KubeObject.of(ByteView.wrap(HexFormat.of().parseHex(HEAD + message)));
  }
}
