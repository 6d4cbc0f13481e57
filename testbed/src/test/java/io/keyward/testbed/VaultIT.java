package io.keyward.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.binary.ServerBinaries;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VaultIT {
  @Test
  void transitEncryptsOverTls(@TempDir Path directory) {
    try (Vault vault = Vault.start(directory, ServerBinaries.ofThisMachine(), true);
        ApiClient client = vault.client()) {
      vault.enableTransit();
      assertThat(client.post("/v1/transit/keys/kms", "{}").isOk()).isTrue();

      Answer answer = client.post("/v1/transit/encrypt/kms", "{\"plaintext\":\"c2VzYW1l\"}");

      assertThat(vault.url().getScheme()).isEqualTo("https");
      assertThat(answer.body()).contains("vault:v1:").contains("\"key_version\":1");
    }
  }

  @Test
  void withoutTheTokenNothingIsDone(@TempDir Path directory) {
    try (Vault vault = Vault.start(directory, ServerBinaries.ofThisMachine(), false);
        ApiClient client = new ApiClient(vault.url(), vault.caCertificate(), Map.of())) {
      assertThat(client.get("/v1/sys/mounts").status()).isEqualTo(403);
    }
  }
}
