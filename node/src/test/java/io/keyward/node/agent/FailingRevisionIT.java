package io.keyward.node.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.view.SiteView;
import io.keyward.engine.Engine;
import io.keyward.engine.Rhythm;
import io.keyward.engine.SiteId;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.SharedControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A revision that a node cannot run, with a real operator and real node agents on a real API
/// server. Only the API servers of the nodes are played.
public final class FailingRevisionIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Component COMPONENT = component("a", "b");

  /// Whose nodes are found by their label.
  private static final Component LABELLED = component();

  private static final String PUBLISHED =
      "/api/v1/namespaces/openshift-config-managed/secrets/encryption-config-kube-apiserver";

  @TempDir Path home;
  private final Turns turns = new Turns();

  private static final class Turns implements TurnObserver {
    private final AtomicInteger taken = new AtomicInteger();

    @Override
    public void turned(SiteId site, SiteView seen, Set<String> failed) {
      taken.incrementAndGet();
    }

    @Override
    public void noTurn(SiteId site) {}

    @Override
    public void removed(SiteId site) {}

    /// The operator had time for whatever it would do now.
    void awaitSome(Engine loop) {
      int before = taken.get();
      assertThat(
              Waiting.until(
                  () -> {
                    loop.wakeAll();
                    return taken.get() > before + 3;
                  },
                  Duration.ofSeconds(60)))
          .isTrue();
    }
  }

  @Test
  void itIsSaidAndHeldThereAndHealedByACorrection() throws IOException {
    ControlPlane plane = SharedControlPlane.cleared();
    try (var admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
      new Installer(admin).install(List.of(COMPONENT), Migrator.Kind.OURS);
      // Nothing can be written where there is no directory; then the first revision is a bad one.
      try (var a = node(admin, plane, "a", "test \"$(cat config.revision)\" -gt 1");
          var b = node(admin, plane, "b", "true");
          var loop = new Engine(turns, Rhythm.DEFAULT)) {
        Files.createDirectories(b.directory());
        loop.add(site(admin, COMPONENT));
        encrypt(admin);

        await(admin, "the file", seen -> failure(seen).contains("cannot write"));
        assertThat(node(admin, "a").path("lastFailedRevision").asLong()).isEqualTo(1);
        assertThat(node(admin, "a").path("lastFailedReason").asText()).isEqualTo("NotBrought");
        assertThat(node(admin, "a").path("ready").asBoolean()).isTrue();
        awaitWaiting(loop, admin, "node a cannot run revision 1: cannot write");

        Files.createDirectories(a.directory());
        await(admin, "the command", seen -> failure(seen).endsWith("exited with code 3"));
        assertThat(node(admin, "a").path("lastFailedReason").asText()).isEqualTo("NotReady");
        awaitWaiting(
            loop,
            admin,
            "node a cannot run revision 1: the restart command exited with code 3; fix it"
                + " there");
        turns.awaitSome(loop);
        assertThat(node(admin, "b").has("targetRevision")).isFalse();
        assertThat(b.config()).doesNotExist();

        correct(admin);
        loop.wakeAll();
        await(admin, "healed", seen -> seen.path("currentRevision").asLong() >= 2);
        assertThat(node(admin, "a").has("lastFailedRevision")).isFalse();
        awaitRevisionOfB(loop, admin, 2);

        // The next revision may be written meanwhile; then that file goes as well.
        Path aside = a.directory().resolve("aside");
        await(
            admin,
            "unreadable",
            seen -> {
              moveIfPresent(a.config(), aside);
              return failure(seen).contains("cannot read");
            });
        Files.move(aside, a.config());
        await(admin, "readable", seen -> !seen.has("lastFailedRevision"));
      }
    }
  }

  private static void moveIfPresent(Path from, Path to) {
    try {
      if (Files.exists(from)) {
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aNodeThatDoesNotAnswerHoldsTheOthers() throws IOException {
    ControlPlane plane = SharedControlPlane.cleared();
    try (var admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
      new Installer(admin).install(List.of(LABELLED), Migrator.Kind.OURS);
      for (String name : List.of("a", "b")) {
        Files.createDirectories(home.resolve(name));
        admin.create("/api/v1/nodes", labelled(name));
      }
      answers(admin, "a", "Unknown");
      try (var a = node(admin, plane, "a", "true");
          var b = node(admin, plane, "b", "true");
          var loop = new Engine(turns, Rhythm.DEFAULT)) {
        loop.add(site(admin, LABELLED));
        encrypt(admin);
        // It may be silent for want of this very revision. It runs here, only its kubelet does not.
        await(admin, "arrived", seen -> seen.path("currentRevision").asLong() == 1);
        assertThat(a.config()).exists();
        awaitWaiting(loop, admin, "node a does not respond (NotReady since 2026-01-02T03:04:05Z)");
        turns.awaitSome(loop);
        assertThat(node(admin, "b").has("targetRevision")).isFalse();
        assertThat(b.config()).doesNotExist();

        answers(admin, "a", "True");
        awaitRevisionOfB(loop, admin, 1);
      }
    }
  }

  @Test
  void aNodeThatLeftAndGoesOnToReportHoldsTheOthers() throws IOException {
    ControlPlane plane = SharedControlPlane.cleared();
    try (var admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
      new Installer(admin).install(List.of(LABELLED), Migrator.Kind.OURS);
      for (String name : List.of("a", "b")) {
        Files.createDirectories(home.resolve(name));
        admin.create("/api/v1/nodes", labelled(name));
      }
      try (var a = node(admin, plane, "a", "true");
          var b = node(admin, plane, "b", "true");
          var loop = new Engine(turns, Rhythm.DEFAULT)) {
        assertThat(Waiting.until(() -> node(admin, "b").has("startedTime"), Duration.ofSeconds(60)))
            .isTrue();
        label(admin, "b", null);
        loop.add(site(admin, LABELLED));
        encrypt(admin);
        awaitWaiting(
            loop,
            admin,
            "node b is no longer a control-plane node but still reports that it runs an API server;"
                + " stop its API server");
        turns.awaitSome(loop);
        assertThat(admin.get(PUBLISHED)).as("no key is taken up").isEmpty();
        assertThat(a.config()).doesNotExist();
        assertThat(b.config()).doesNotExist();

        label(admin, "b", "");
        awaitRevisionOfB(loop, admin, 1);
      }
    }
  }

  private static void awaitRevisionOfB(Engine loop, Api admin, long revision) {
    assertThat(
            Waiting.until(
                () -> {
                  loop.wakeAll();
                  return node(admin, "b").path("currentRevision").asLong() >= revision;
                },
                Duration.ofSeconds(60)))
        .isTrue();
  }

  /// @param value none takes it away
  private static void label(Api admin, String name, @Nullable String value) {
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putObject("metadata")
        .putObject("labels")
        .put("node-role.kubernetes.io/control-plane", value);
    admin.mergePatch("/api/v1/nodes/" + name, patch);
  }

  private static ObjectNode labelled(String name) {
    ObjectNode node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata")
        .put("name", name)
        .putObject("labels")
        .put("node-role.kubernetes.io/control-plane", "");
    return node;
  }

  private static void answers(Api admin, String name, String status) {
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", status)
        .put("lastTransitionTime", "2026-01-02T03:04:05Z");
    admin.mergePatch("/api/v1/nodes/" + name + "/status", patch);
  }

  private static void encrypt(Api admin) {
    ObjectNode patch = JSON.createObjectNode();
    patch.putObject("spec").putObject("encryption").put("type", "aescbc");
    admin.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", patch);
  }

  private FakeNode node(Api admin, ControlPlane plane, String name, String condition)
      throws IOException {
    return new FakeNode(admin, plane.kubeconfig(0), COMPONENT, name, home, condition);
  }

  private static Component component(String... nodes) {
    return new Component(
        "kube-apiserver",
        "kube-system",
        "kubeapiservers",
        Workload.RESTART_COMMAND,
        new TreeSet<>(List.of(new Resource("", "limitranges"))),
        new TreeSet<>(List.of(nodes)));
  }

  private static KubeSite site(Api api, Component component) {
    InstantSource clock = InstantSource.system();
    return new KubeSite(
        api,
        component,
        Settings.DEFAULT,
        clock,
        Migrator.of(Migrator.Kind.OURS, api, clock, _ -> {}),
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

  private static void awaitWaiting(Engine loop, Api admin, String words) {
    var last = new AtomicReference<>("");
    assertThat(
            Waiting.until(
                () -> {
                  loop.wakeAll();
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
