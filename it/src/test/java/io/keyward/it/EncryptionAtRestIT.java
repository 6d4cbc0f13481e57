package io.keyward.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.EncryptionConfigYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A secret created through a real kube-apiserver lies in a real etcd encrypted by Keyward's
/// plugin, and comes back.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EncryptionAtRestIT {
  private static final String PREFIX = "k8s:enc:kms:v2:keyward:";

  /// An API server asks for Status once a minute, and sooner where a kubelet asks whether it is
  /// ready: then what it knows is at most 20 s old.
  private static final Duration POLL = Duration.ofSeconds(150);

  private LocalPlugin plugin;
  private ControlPlane plane;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    plugin = new LocalPlugin(Files.createDirectory(directory.resolve("p")));
    plane = ControlPlane.builder(directory.resolve("plane")).apiServers(2).create();
    for (ApiServer api : plane.apiServers()) {
      api.writeEncryptionConfig(EncryptionConfigYaml.writes("keyward", plugin.socket()));
    }
    plane.start();
  }

  @AfterAll
  void stop() {
    plane.close();
    plugin.close();
  }

  @Test
  void whatIsWrittenIsEncryptedInEtcdAndComesBack() {
    assertThat(Secrets.create(plane.apiServer(0), "first", "tell nobody").status()).isEqualTo(201);
    String stored = Secrets.stored(plane, "first");
    assertThat(stored)
        .startsWith(PREFIX)
        .contains(plugin.status().keyId())
        .doesNotContain("tell nobody")
        .doesNotContain(Secrets.encoded("tell nobody"));
    assertThat(Secrets.read(plane.apiServer(0), "first").body())
        .contains(Secrets.encoded("tell nobody"));
  }

  @Test
  void eachApiServerReadsWhatTheOtherWrote() {
    Secrets.create(plane.apiServer(0), "from-zero", "zero");
    Secrets.create(plane.apiServer(1), "from-one", "one");
    assertThat(Secrets.read(plane.apiServer(1), "from-zero").body())
        .contains(Secrets.encoded("zero"));
    assertThat(Secrets.read(plane.apiServer(0), "from-one").body())
        .contains(Secrets.encoded("one"));
  }

  @Test
  void aPluginThatWasKilledIsBackWithTheSameKeyId() {
    Secrets.create(plane.apiServer(0), "before-kill", "still here");
    String keyId = plugin.status().keyId();
    plugin.kill();
    plugin.startAgain();
    assertThat(plugin.status().keyId()).isEqualTo(keyId);
    // A fresh API server has no keys in memory: it must get them from the new plugin.
    plane.apiServer(1).restart();
    assertThat(Secrets.read(plane.apiServer(1), "before-kill").body())
        .contains(Secrets.encoded("still here"));
    assertThat(Secrets.create(plane.apiServer(1), "after-kill", "new").status()).isEqualTo(201);
    assertThat(Secrets.stored(plane, "after-kill")).startsWith(PREFIX);
  }

  @Test
  void apiServersPickUpARotationByThemselves() {
    Secrets.create(plane.apiServer(0), "old-key", "old");
    plugin.rotate();
    String keyId = plugin.status().keyId();
    Awaitility.await()
        .atMost(POLL)
        .pollInterval(Duration.ofSeconds(1))
        .until(() ->
            plane.apiServers().stream()
                    .filter(api -> api.get("/readyz").isOk())
                    .filter(api -> writesWith(api, keyId))
                    .count()
                == plane.apiServers().size());
    assertThat(Secrets.read(plane.apiServer(0), "old-key").body()).contains(Secrets.encoded("old"));
    // Without what is in memory, the old version is needed again, and still there.
    plane.apiServer(0).restart();
    assertThat(Secrets.read(plane.apiServer(0), "old-key").body()).contains(Secrets.encoded("old"));
  }

  private boolean writesWith(ApiServer api, String keyId) {
    String name = "rotated-" + api.name();
    if (Secrets.create(api, name, "x").status() == 409) {
      // The same content would not be written again.
      Secrets.replace(api, name, Long.toString(System.nanoTime()));
    }
    return Secrets.stored(plane, name).contains(keyId);
  }

  @Test
  void aStoredValueWithAnotherKeyIdIsRefusedInClearWords() throws IOException {
    Secrets.create(plane.apiServer(0), "tampered", "value");
    String stored = Secrets.stored(plane, "tampered");
    String keyId = plugin.status().keyId();
    assertThat(stored).contains(keyId);
    String forged = keyId.substring(0, keyId.length() - 1) + (keyId.endsWith("A") ? "B" : "A");
    byte[] value = stored.replace(keyId, forged).getBytes(ISO_8859_1);
    plane.etcd().ctlFed(value, "put", Secrets.key("tampered"));
    var answer = Secrets.read(plane.apiServer(1), "tampered");
    assertThat(answer.status()).isEqualTo(500);
    String message = new ObjectMapper().readTree(answer.body()).path("message").asText();
    assertThat(message).contains("NotFound").contains("no key version with this key_id");
    // A list fails while it is there; take it away again for the others.
    plane.etcdctl("del", Secrets.key("tampered"));
  }
}
