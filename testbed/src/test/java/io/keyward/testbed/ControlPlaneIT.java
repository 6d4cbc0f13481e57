package io.keyward.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ControlPlaneIT {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";

  private ControlPlane plane;

  @BeforeAll
  void startOnce(@TempDir Path directory) {
    plane =
        ControlPlane.builder(directory.resolve("plane"))
            .apiServers(2)
            .controllerManager(true)
            .start();
  }

  @AfterAll
  void stop() {
    plane.close();
  }

  @Test
  void eachApiServerSeesWhatTheOtherWrote() {
    assertThat(createSecret(plane.apiServer(0), "shared").status()).isEqualTo(201);

    assertThat(plane.apiServer(1).get(SECRETS + "/shared").body()).contains("\"shared\"");
    assertThat(stored("/registry/secrets/default/shared")).contains("k8s").contains("shared");
  }

  @Test
  void aKilledApiServerComesBackWithItsDataOnItsPort() {
    ApiServer victim = plane.apiServer(1);
    createSecret(victim, "survivor");
    long before = victim.pid();

    victim.kill();
    assertThat(victim.isRunning()).isFalse();
    assertThat(victim.isReady()).isFalse();
    victim.start();
    victim.awaitReady();

    assertThat(victim.pid()).isNotEqualTo(before);
    assertThat(victim.get(SECRETS + "/survivor").status()).isEqualTo(200);
  }

  @Test
  void aPausedApiServerAnswersNothingUntilItGoesOn() {
    ApiServer paused = plane.apiServer(1);

    paused.pause();
    assertThat(paused.isRunning()).isTrue();
    assertThat(paused.process().isPaused()).isTrue();
    assertThat(paused.isReady()).isFalse();
    paused.resume();

    paused.awaitReady();
  }

  @Test
  void rbacRefusesAUserWithoutRights() {
    try (ApiClient nobody =
        plane.apiServer(0).clientFor(plane.pki().user("nobody", Optional.empty()))) {
      assertThat(nobody.get(SECRETS).status()).isEqualTo(403);
    }
  }

  @Test
  void theControllerManagerMigratesStorage() {
    ApiServer api = plane.apiServer(0);
    createSecret(api, "migrated");
    String migrations = "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";

    assertThat(
            api.client()
                .post(
                    migrations,
                    """
                    {"apiVersion":"storagemigration.k8s.io/v1beta1",
                     "kind":"StorageVersionMigration","metadata":{"name":"secrets"},
                     "spec":{"resource":{"group":"","resource":"secrets"}}}\
                    """)
                .status())
        .isEqualTo(201);

    assertThat(comesToHold(migrations, "\"resourceVersion\":\"")).isTrue();
    // The migrator waits for the next event on secrets; on a quiet cluster that takes a minute.
    createSecret(api, "event");

    assertThat(comesToHold(migrations, "\"type\":\"Succeeded\""))
        .as(() -> api.get(migrations + "/secrets").body())
        .isTrue();
  }

  @Test
  void anAggregatedApiServerIsReachedThroughTheFirst() throws IOException {
    ApiServer api = plane.apiServer(0);
    try (SampleApiServer sample = plane.newSampleApiServer()) {
      Files.writeString(
          sample.encryptionConfigFile(),
          """
          apiVersion: apiserver.config.k8s.io/v1
          kind: EncryptionConfiguration
          resources:
          - resources: [flunders.wardle.example.com]
            providers:
            - aescbc:
                keys:
                - name: sample
                  secret: c2VjcmV0IGlzIHNlY3VyZQ==
          """);
      sample.startReady();
      sample.register();
      String flunders = "/apis/wardle.example.com/v1alpha1/namespaces/default/flunders";
      assertThat(Waiting.until(() -> api.get(flunders).isOk(), Duration.ofSeconds(30)))
          .as(() -> api.get(flunders).body())
          .isTrue();

      ApiClient.Answer created =
          api.client()
              .post(
                  flunders,
                  """
                  {"apiVersion":"wardle.example.com/v1alpha1","kind":"Flunder",
                   "metadata":{"name":"one"}}\
                  """);

      assertThat(created.status()).as(created.body()).isEqualTo(201);
      assertThat(stored("/registry/wardle.example.com/wardle.example.com/flunders/default/one"))
          .startsWith("k8s:enc:aescbc:v1:sample:");
    }
  }

  private boolean comesToHold(String migrations, String words) {
    return Waiting.until(
        () -> {
          String body = plane.apiServer(0).get(migrations + "/secrets").body();
          int from = body.indexOf("\"status\":{");
          return from >= 0 && body.indexOf(words, from) >= 0;
        },
        Duration.ofSeconds(60));
  }

  private static ApiClient.Answer createSecret(ApiServer api, String name) {
    return api.client()
        .post(
            SECRETS,
            """
            {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s"},
             "stringData":{"word":"open sesame"}}\
            """
                .formatted(name));
  }

  private String stored(String key) {
    return new String(plane.etcdctl("get", key, "--print-value-only"), StandardCharsets.ISO_8859_1);
  }
}
