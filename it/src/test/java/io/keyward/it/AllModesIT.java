package io.keyward.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.OneNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From every mode to another one on a real API server, with the gate of KMS turned off on the way,
/// and with the migrator of the cluster in place of ours at the end. What counts is read from etcd.
final class AllModesIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int SECRETS = 40;
  private static final String PATH = "/api/v1/namespaces/default/secrets";
  private static final ObjectMapper JSON = new ObjectMapper();

  /// An API server asks a plugin anew at most 20 s after its readiness was asked for.
  private static final String SETTINGS =
      "settings: {reportInterval: 5s, kekSettles: 25s, retireKmsAfter: 1s}\n";

  private final List<AutoCloseable> open = new ArrayList<>();
  private OneNode node;
  private Admin admin;

  @BeforeEach
  void start(@TempDir Path temporary) {
    // Without it an API server that is told to end waits a minute for those who watch.
    ControlPlane plane =
        ControlPlane.builder(temporary.resolve("plane"))
            .apiServerArguments("--shutdown-send-retry-after=true")
            .controllerManager(true)
            .start();
    node = new OneNode(temporary, Keyward.HOME, plane, SETTINGS, PATIENCE);
    open.add(node);
    admin = new Admin(plane.apiServer(0).client());
    for (int i = 0; i < SECRETS; i++) {
      admin.post(
          PATH,
          "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s-%d\"},\"stringData\":{\"word\":\"tell nobody\"}}"
              .formatted(i));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void fromALocalKeyToOneKmsAndAnotherAndBackWithTheGateOff(@TempDir Path a, @TempDir Path b)
      throws IOException {
    admin.want("{\"type\":\"aescbc\"}");
    awaitStored("k8s:enc:aescbc:v1:1:");
    admin.awaitCondition("EncryptionUpgradeable", "True");

    LocalPlugin first = plugin(a);
    admin.wantKms("unix://" + first.socket());
    awaitStored("k8s:enc:kms:v2:2_secrets:");
    admin.awaitCondition("EncryptionUpgradeable", "False");

    LocalPlugin second = plugin(b);
    admin.wantKms("unix://" + second.socket());
    awaitStored("k8s:enc:kms:v2:3_secrets:");

    // Nobody gets onto a KMS any more; whoever is on one keeps it, and can leave it.
    node.reconfigure(SETTINGS + "featureGates: {KMSEncryptionProvider: false}\n");
    admin.awaitCondition("EncryptionKeyControllerDegraded", "True", "KMSEncryptionProvider");
    explains("No key is created", "KMSEncryptionProvider");
    admin.want("{\"type\":\"aescbc\",\"kms\":null}");
    awaitStored("k8s:enc:aescbc:v1:4:");

    // Nothing needs the plugins any more, not even a restart.
    admin.awaitCondition("KMSDecommissionable", "True");
    admin.awaitCondition("EncryptionUpgradeable", "True");
    first.close();
    second.close();
    node.plane().apiServer(0).process().kill();
    areReadable();

    admin.want("{\"type\":\"aesgcm\"}");
    awaitStored("k8s:enc:aesgcm:v1:5:");

    admin.want("{\"type\":\"secretbox\"}");
    awaitStored("k8s:enc:secretbox:v1:6:");

    node.reconfigure(SETTINGS + "migrator: storagemigration.k8s.io\n");
    admin.want("{\"type\":\"identity\"}");
    awaitStored("k8s\0");
    admin.awaitCondition("Encrypted", "False", "DecryptionCompleted");
    areReadable();
    explains("nothing, until something changes");
    Revisions.arePruned(admin);
  }

  private LocalPlugin plugin(Path directory) throws IOException {
    var plugin = new LocalPlugin(Files.createDirectories(directory.resolve("p")));
    open.add(plugin);
    return plugin;
  }

  /// Whoever asks while the API server is restarted asks again.
  private void explains(String... words) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          Keyward said =
              Keyward.run(
                  "explain",
                  "--config",
                  node.config().toString(),
                  "--kubeconfig",
                  node.plane().kubeconfig(0).toString());
          assertThat(said.exitCode()).as(said.err()).isZero();
          assertThat(said.out()).contains(words);
        });
  }

  private void areReadable() {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          int ours = 0;
          for (JsonNode one : admin.get(PATH).path("items")) {
            ours += one.at("/metadata/name").asText().startsWith("s-") ? 1 : 0;
          }
          assertThat(ours).isEqualTo(SECRETS);
        });
  }

  /// Somebody writes meanwhile: the cluster's own migrator waits for that.
  private void awaitStored(String prefix) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(() -> {
          admin.patch(
              PATH + "/s-0",
              "{\"metadata\":{\"labels\":{\"n\":\"%d\"}}}".formatted(System.nanoTime()));
          assertThat(stored())
              .as(() -> admin.operator().toPrettyString())
              .hasSize(SECRETS)
              .allMatch(value -> value.startsWith(prefix));
        });
  }

  private List<String> stored() throws IOException {
    byte[] answer =
        node.plane().etcdctl("get", "--prefix", "/registry/secrets/default/s-", "-w", "json");
    var values = new ArrayList<String>();
    for (JsonNode kv : JSON.readTree(answer).path("kvs")) {
      values.add(new String(kv.path("value").binaryValue(), ISO_8859_1));
    }
    return values;
  }
}
