package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.SecretObject;
import io.keyward.core.model.key.DataValue;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

public final class ForeignSecretTest {
  private static final String OURS =
      "encryption.apiserver.operator.openshift.io/deletion-protection";
  private static final String LABEL = "encryption.apiserver.operator.openshift.io/component";

  @Test
  void aConfigurationIsOursByItsDataOrItsFinalizer() {
    assertThat(ForeignSecret.configuration(secret("encryption-config", "", ""))).isEmpty();
    assertThat(ForeignSecret.configuration(secret("mine", OURS, ""))).isEmpty();
    assertThat(ForeignSecret.configuration(secret("mine", "other", "server")))
        .hasValueSatisfying(words ->
            assertThat(words)
                .contains("secret ns/it was not created by Keyward", "rename or delete it"));
  }

  @Test
  void aKeyIsOursByItsLabel() {
    assertThat(ForeignSecret.key(secret("x", OURS, "server"), "server")).isEmpty();
    for (String label : List.of("", "another")) {
      assertThat(ForeignSecret.key(secret("x", OURS, label), "server"))
          .hasValueSatisfying(words ->
              assertThat(words)
                  .contains("secret ns/it blocks a key", LABEL + "=server", "delete it"));
    }
  }

  @Test
  void onlyOthersFinalizersHoldASecret() {
    assertThat(ForeignSecret.held(secret("x", OURS, ""))).isEmpty();
    assertThat(ForeignSecret.held(secret("x", "", ""))).isEmpty();
    assertThat(ForeignSecret.held(secret("x", OURS + " a/backup", "")))
        .hasValueSatisfying(words -> assertThat(words).contains("ns/it", "[a/backup]"));
  }

  private static SecretObject secret(String data, String finalizers, String label) {
    return new SecretObject(
        "ns",
        "it",
        new TreeMap<>(label.isEmpty() ? Map.of() : Map.of(LABEL, label)),
        new TreeMap<>(),
        finalizers.isEmpty() ? List.of() : List.of(finalizers.split(" ", -1)),
        new TreeMap<>(Map.of(data, DataValue.copyOf(new byte[] {1}))));
  }
}
