package io.keyward.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.kube.Api;
import io.keyward.kube.Component;
import io.keyward.kube.FeatureGates;
import io.keyward.kube.Installer;
import io.keyward.kube.KubeSite;
import io.keyward.kube.Migrator;
import io.keyward.kube.Workload;
import io.keyward.operator.ControlLoop;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A revision that a node cannot run, with a real operator and real node agents on a real API
/// server. Only the API servers of the nodes are played.
final class FailingRevisionIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(new Resource("", "limitranges"))),
          new TreeSet<>(List.of("a", "b")));
  private static final String PUBLISHED =
      "/api/v1/namespaces/openshift-config-managed/secrets/encryption-config-kube-apiserver";

  @TempDir Path home;

  @Test
  void itIsSaidAndHeldThereAndHealedByACorrection() throws IOException {
    try (var plane = ControlPlane.builder(home.resolve("plane")).start();
        var admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
      new Installer(admin).install(List.of(COMPONENT), Migrator.Kind.OURS);
      // Nothing can be written where there is no directory; then the first revision is a bad one.
      try (var a = node(admin, plane, "a", "test \"$(cat config.revision)\" -gt 1");
          var b = node(admin, plane, "b", "true");
          var loop = new ControlLoop(List.of(site(admin)))) {
        Files.createDirectories(b.directory());
        loop.start();
        ObjectNode patch = JSON.createObjectNode();
        patch.putObject("spec").putObject("encryption").put("type", "aescbc");
        admin.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", patch);

        await(admin, "the file", seen -> failure(seen).contains("cannot write"));
        assertThat(node(admin, "a").path("lastFailedRevision").asLong()).isEqualTo(1);
        assertThat(node(admin, "a").path("lastFailedReason").asText()).isEqualTo("NotBrought");
        assertThat(node(admin, "a").path("ready").asBoolean()).isTrue();
        awaitWaiting(loop, admin, "node a cannot run revision 1: cannot write");

        Files.createDirectories(a.directory());
        await(admin, "the command", seen -> failure(seen).endsWith("exit code 3"));
        assertThat(node(admin, "a").path("lastFailedReason").asText()).isEqualTo("NotReady");
        awaitWaiting(
            loop,
            admin,
            "node a cannot run revision 1: the restart command ended with exit code 3; put it right"
                + " there");
        assertThat(node(admin, "b").has("targetRevision")).isFalse();
        assertThat(b.config()).doesNotExist();

        correct(admin);
        loop.wake();
        await(admin, "healed", seen -> seen.path("currentRevision").asLong() >= 2);
        assertThat(node(admin, "a").has("lastFailedRevision")).isFalse();
        assertThat(b.config()).as("b waits for a").doesNotExist();
        assertThat(
                Waiting.until(
                    () -> {
                      loop.wake();
                      return node(admin, "b").path("currentRevision").asLong() >= 2;
                    },
                    Duration.ofSeconds(60)))
            .isTrue();
      }
    }
  }

  private FakeNode node(Api admin, ControlPlane plane, String name, String condition)
      throws IOException {
    return new FakeNode(admin, plane.kubeconfig(0), COMPONENT, name, home, condition);
  }

  private static KubeSite site(Api api) {
    InstantSource clock = InstantSource.system();
    return new KubeSite(
        api,
        COMPONENT,
        Settings.DEFAULT,
        clock,
        Migrator.of(Migrator.Kind.OURS, api, clock, () -> {}),
        FeatureGates.DEFAULT,
        KubeSite.Access.ACTS);
  }

  private static JsonNode node(Api admin, String name) {
    JsonNode status = admin.get(COMPONENT.operatorPath()).orElseThrow().path("status");
    for (JsonNode one : status.path("nodeStatuses")) {
      if (one.path("nodeName").asText().equals(name)) {
        return one;
      }
    }
    return JSON.createObjectNode();
  }

  private static String failure(JsonNode node) {
    return node.path("lastFailedRevisionErrors").path(0).asText("");
  }

  private static void await(Api admin, String what, Predicate<JsonNode> wanted) {
    assertThat(Waiting.until(() -> wanted.test(node(admin, "a")), Duration.ofSeconds(60)))
        .as(what + ": " + node(admin, "a"))
        .isTrue();
  }

  private static void awaitWaiting(ControlLoop loop, Api admin, String words) {
    var last = new AtomicReference<>("");
    assertThat(
            Waiting.until(
                () -> {
                  loop.wake();
                  JsonNode all =
                      admin.get(COMPONENT.operatorPath()).orElseThrow().at("/status/conditions");
                  for (JsonNode one : all) {
                    if (one.path("type").asText().equals("EncryptionWaiting")) {
                      last.set(one.path("message").asText());
                    }
                  }
                  return last.get().contains(words);
                },
                Duration.ofSeconds(60)))
        .as(last.get())
        .isTrue();
  }

  /// The same configuration in other bytes, so it is another revision.
  private static void correct(Api admin) {
    ObjectNode secret = admin.get(PUBLISHED).orElseThrow();
    ObjectNode data = (ObjectNode) secret.path("data");
    byte[] config = Base64.getDecoder().decode(data.path("encryption-config").asText());
    byte[] spaced = (new String(config, UTF_8) + "\n").getBytes(UTF_8);
    data.put("encryption-config", Base64.getEncoder().encodeToString(spaced));
    admin.replace(PUBLISHED, secret);
  }
}
