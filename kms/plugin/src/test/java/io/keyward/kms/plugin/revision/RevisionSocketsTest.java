package io.keyward.kms.plugin.revision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.kms.plugin.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RevisionSocketsTest {
  @TempDir private Path directory;

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private void kms(int serial, String kms) throws IOException {
    write("kms-plugin-config-" + serial, "{\"spec\":{\"encryption\":{\"kms\":" + kms + "}}}");
  }

  @Test
  void namesEverySocketInTheOrderOfTheKeys() throws IOException {
    var providers = new StringBuilder();
    for (int serial : new int[] {10, 9, 8, 7, 6}) {
      providers.append(
          "{\"kms\":{\"name\":\"%d_secrets\",\"endpoint\":\"unix:///run/%d.sock\"}},"
              .formatted(serial, serial));
    }
    write("encryption-config", "{\"resources\":[{\"providers\":[" + providers + "{}]}]}");
    kms(6, "{\"type\":\"External\",\"external\":{\"endpoint\":\"unix:///run/6.sock\"}}");
    kms(7, "{\"type\":\"Vault\",\"vault\":{\"vaultAddress\":\"https://vault.kms.svc:8200\"}}");
    kms(8, "{\"type\":\"GCP\",\"gcp\":{\"endpoint\":\"kms.example.com:443\"}}");
    kms(9, "{\"type\":\"Tomorrow\"}");

    var found = RevisionSockets.read(new RevisionDirectory(directory));

    assertThat(found)
        .containsExactly(
            new RevisionSocket("6", "unix:///run/6.sock", "External", Optional.empty()),
            new RevisionSocket("7", "unix:///run/7.sock", "Vault", Optional.of("vault.kms.svc")),
            new RevisionSocket("8", "unix:///run/8.sock", "GCP", Optional.of("kms.example.com")),
            new RevisionSocket("9", "unix:///run/9.sock", "Tomorrow", Optional.empty()),
            new RevisionSocket("10", "unix:///run/10.sock", "", Optional.empty()));
    assertThat(found).filteredOn(RevisionSocket::isExternal).hasSize(1);
  }

  @Test
  void aRevisionWithoutAConfigurationIsRefused() {
    assertThatThrownBy(() -> RevisionSockets.read(new RevisionDirectory(directory)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("encryption-config");
  }
}
