package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.OneNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A KMS dies for good while a real API server learns to read its key. Whoever corrects the wish
/// gets the API server back, although its revision never worked.
final class AWithdrawnKeyIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String CONFIG = Admin.MANAGED + "/secrets/encryption-config-kube-apiserver";
  private static final String BAD_KEY = Admin.MANAGED + "/secrets/encryption-key-kube-apiserver-1";
  private static final String STAGE = "encryption.apiserver.operator.openshift.io/stage";

  private final List<AutoCloseable> open = new ArrayList<>();
  private OneNode node;
  private Admin admin;

  @BeforeEach
  void start(@TempDir Path temporary) {
    ControlPlane plane =
        ControlPlane.builder(temporary.resolve("plane"))
            .apiServerArguments("--shutdown-send-retry-after=true")
            .start();
    node =
        new OneNode(
            temporary,
            Keyward.HOME,
            plane,
            "settings: {reportInterval: 5s}\n",
            Duration.ofSeconds(15));
    open.add(node);
    admin = new Admin(plane.apiServer(0).client());
    assertThat(Secrets.create(plane.apiServer(0), "one", "tell nobody").status()).isEqualTo(201);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void aBadRevisionIsTakenBackWhenTheWishIsCorrected(@TempDir Path directory) throws IOException {
    LocalPlugin plugin = plugin(directory);
    admin.wantKms("unix://" + plugin.socket());
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .until(() -> config().contains("1_secrets"));
    plugin.kill();
    Files.delete(plugin.socket());
    admin.pressForCondition("EncryptionWaiting", "True", "cannot run revision");
    assertThat(stage()).isEqualTo("read-only");

    admin.want("{\"type\":\"aescbc\",\"kms\":null}");
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          JsonNode entry = admin.operator().at("/status/nodeStatuses/0");
          assertThat(entry.path("ready").asBoolean()).as(entry.toString()).isTrue();
          assertThat(entry.has("lastFailedRevision")).as(entry.toString()).isFalse();
          assertThat(Files.readString(node.plane().apiServer(0).encryptionConfigFile()))
              .doesNotContain("kms");
        });
    admin.awaitCondition("Encrypted", "True", "EncryptionCompleted");
    admin.awaitCondition("EncryptionWaiting", "False");
    assertThat(stage()).isEqualTo("retracted");
    assertThat(config()).doesNotContain("kms");
    assertThat(told()).contains("EncryptionKeyRetracted");
    awaitStored("k8s:enc:aescbc:v1:2:");
    assertThat(Secrets.read(node.plane().apiServer(0), "one").status()).isEqualTo(200);
  }

  private LocalPlugin plugin(Path directory) throws IOException {
    var plugin = new LocalPlugin(Files.createDirectories(directory.resolve("p")));
    open.add(plugin);
    return plugin;
  }

  private String config() {
    String data = admin.get(CONFIG).at("/data/encryption-config").asText();
    return new String(Base64.getDecoder().decode(data), UTF_8);
  }

  private String stage() {
    return admin.get(BAD_KEY).at("/metadata/annotations").path(STAGE).asText("");
  }

  private List<String> told() {
    var reasons = new ArrayList<String>();
    for (JsonNode event : admin.get(Admin.SYSTEM + "/events").path("items")) {
      reasons.add(event.path("reason").asText());
    }
    return reasons;
  }

  private void awaitStored(String prefix) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(() ->
            assertThat(Secrets.stored(node.plane(), "one"))
                .as(() -> admin.operator().toPrettyString())
                .startsWith(prefix));
  }
}
