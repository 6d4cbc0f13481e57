package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.key.KeyDecision.Mint;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Mode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.prune.PruneDecision;
import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import io.keyward.kube.Component;
import io.keyward.kube.FeatureGates;
import io.keyward.kube.KubeSite;
import io.keyward.kube.Leadership;
import io.keyward.kube.MigrationRecord;
import io.keyward.kube.Migrator;
import io.keyward.kube.PreflightRecord;
import io.keyward.kube.Watches;
import io.keyward.kube.Workload;
import io.keyward.operator.Look;
import io.keyward.operator.RolloutDecision;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Every kind of request that operator and node agent make, by their own code.
final class UsesOfRights {
  static final Resource LIMITS = new Resource("", "limitranges");
  static final String MANAGED = "/api/v1/namespaces/openshift-config-managed/";
  static final String NODE = "a";

  /// A resource that is used for nothing else, so that the migrator's rights lend none to others.
  static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(LIMITS)),
          new TreeSet<>(),
          Optional.of("more"));

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Api admin;
  private final Api operator;
  private final Api agent;
  private final Path directory;

  UsesOfRights(Api admin, Api operator, Api agent, Path directory) {
    this.admin = admin;
    this.operator = operator;
    this.agent = agent;
    this.directory = directory;
  }

  /// Every kind of request that the operator makes, by its own code. Ends where one is refused.
  void operate() throws InterruptedException {
    tidy();
    InstantSource clock = InstantSource.system();
    try (var migrator = Migrator.of(Migrator.Kind.OURS, operator, clock, () -> {})) {
      var site =
          new KubeSite(
              operator,
              COMPONENT,
              Settings.DEFAULT,
              clock,
              migrator,
              FeatureGates.DEFAULT,
              KubeSite.Access.ACTS);
      Look look = site.look();
      look.mint(new Mint(new KeySerial(1), Mode.AESCBC, Optional.empty(), "test", ""));
      look = site.look();
      Key key = look.state().stored().secrets().getFirst();
      look.put(key);
      look.publish(layout(key, true));
      look.carryOut(new RolloutDecision.Snapshot(1));
      look.publish(layout(key, false));
      leaveIncomplete(1);
      look.carryOut(new RolloutDecision.Snapshot(1));
      look.carryOut(new RolloutDecision.Advance(NODE, 1));
      look.carryOut(new RolloutDecision.Deploy("more", 1));
      // The last one makes the one before it needless.
      look.carryOut(new RolloutDecision.Snapshot(2));
      look.carryOut(new RolloutDecision.Snapshot(7));
      look.deployPreflight(new Fingerprint("AAAAAAAA"), 1);
      migrate(site, migrator);
      look = site.look();
      look.mark(
          new MigrationDecision.Mark(LIMITS, key.serial(), Optional.empty(), Optional.empty()));
      look.abort(LIMITS);
      look.cleanPreflight();
      look.delete(new PruneDecision.Delete(new TreeSet<>(List.of(key.serial())), List.of()));
      look.announce("Tested", "all was done");
    }
    if (!admin.text("/api/v1/namespaces/kube-system/events").contains("all was done")) {
      throw new ClusterFailure("no event");
    }
    watch(new Watches(operator, List.of(COMPONENT), Migrator.Kind.OURS, () -> {}));
  }

  /// As a crash leaves a revision: the next try writes over it.
  private void leaveIncomplete(long number) {
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putObject("metadata")
        .putObject("annotations")
        .put("operator.openshift.io/revision-ready", "false");
    admin.mergePatch("/api/v1/namespaces/kube-system/configmaps/revision-status-" + number, patch);
  }

  private static void watch(Watches opened) {
    try (var watches = opened) {
      Waiting.until(
          () -> watches.isComplete() || !watches.problems().isEmpty(), Duration.ofSeconds(10));
      if (!watches.isComplete() || !watches.problems().isEmpty()) {
        throw new ClusterFailure("not watched: " + watches.problems());
      }
    }
  }

  private static EncryptionLayout layout(Key key, boolean writes) {
    var stacks = new TreeMap<Resource, KeyStack>();
    stacks.put(
        LIMITS,
        new KeyStack(
            writes ? Optional.of(key.serial()) : Optional.empty(),
            List.of(new KeyStack.Slot(key, ""))));
    return new EncryptionLayout(stacks);
  }

  private static void migrate(KubeSite site, Migrator migrator) {
    site.look()
        .start(
            new MigrationDecision.Start(
                LIMITS, new MigrationTarget("1", Optional.empty()), "w", 1));
    Waiting.until(
        () -> {
          migrator.tend(COMPONENT, migrator.look(COMPONENT));
          return Optional.ofNullable(migrator.look(COMPONENT).get(LIMITS))
              .filter(one -> !(one.status().state() instanceof State.Running))
              .isPresent();
        },
        Duration.ofSeconds(5));
    MigrationRecord ended = Optional.ofNullable(migrator.look(COMPONENT).get(LIMITS)).orElseThrow();
    if (!(ended.status().state() instanceof State.Succeeded)
        || ended.json().at("/data/others").asText().equals("not told")) {
      throw new ClusterFailure("not migrated, or not as fast as it might be");
    }
  }

  /// Becomes the leader and stays it once.
  void lead() throws InterruptedException {
    String lease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/keyward-operator";
    var elected = new CountDownLatch(1);
    Thread standing =
        Thread.ofVirtual()
            .start(() -> {
              try {
                new Leadership(operator, "kube-system", "me", Duration.ofSeconds(1))
                    .run(() -> {
                      elected.countDown();
                      return () -> {};
                    });
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      if (!elected.await(2, TimeUnit.SECONDS)) {
        throw new ClusterFailure("not elected");
      }
      JsonNode begun = admin.get(lease).orElseThrow().at("/spec/renewTime");
      if (!Waiting.until(
          () -> !admin.get(lease).orElseThrow().at("/spec/renewTime").equals(begun),
          Duration.ofSeconds(4))) {
        throw new ClusterFailure("not renewed");
      }
    } finally {
      standing.interrupt();
      standing.join();
    }
  }

  void tidy() {
    for (String path :
        List.of(
            MANAGED + "secrets/encryption-key-kube-apiserver-1",
            MANAGED + "secrets/encryption-config-kube-apiserver",
            MANAGED + "secrets/keyward-fingerprint-salt",
            MANAGED + "configmaps/encryption-migration-core-limitranges",
            "/api/v1/namespaces/kube-system/secrets/encryption-config-1",
            "/api/v1/namespaces/kube-system/secrets/encryption-config-2",
            "/api/v1/namespaces/kube-system/secrets/encryption-config-7",
            "/api/v1/namespaces/kube-system/configmaps/revision-status-1",
            "/api/v1/namespaces/kube-system/configmaps/revision-status-2",
            "/api/v1/namespaces/kube-system/configmaps/revision-status-7",
            "/api/v1/namespaces/kube-system/configmaps/encryption-preflight-kube-apiserver",
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/keyward-operator")) {
      admin
          .get(path)
          .ifPresent(left -> {
            ObjectNode bare = left.deepCopy();
            bare.withObject("/metadata").putArray("finalizers");
            admin.delete(path, admin.replace(path, bare));
          });
    }
    admin
        .list("/api/v1/namespaces/kube-system/events")
        .forEach(event ->
            admin.delete(
                "/api/v1/namespaces/kube-system/events/" + event.at("/metadata/name").asText(),
                event));
  }

  /// Every kind of request that a node agent makes, by its own code.
  void serveNode() throws InterruptedException, IOException {
    Path file = Files.createTempDirectory(directory, "node").resolve("config");
    nodeAgent(file, List.of("true"), System::nanoTime).step();
    JsonNode seen = admin.get(COMPONENT.operatorPath()).orElseThrow();
    if (!Files.exists(file)
        || !seen.at("/status/nodeStatuses/0").has("startedTime")
        || !admin
            .get(COMPONENT.configMaps() + "/" + COMPONENT.preflight())
            .orElseThrow()
            .path("data")
            .has("node." + NODE)) {
      throw new ClusterFailure("not served");
    }
    watch(Watches.ofAgent(agent, COMPONENT, () -> {}));
  }

  /// One that has a revision to bring and a preflight to answer.
  NodeAgent nodeAgent(Path file, List<String> restart, LongSupplier nanos) {
    tidy();
    ObjectNode revision = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    revision.putObject("metadata").put("name", "encryption-config-1");
    revision.putObject("data").put("encryption-config", "e30=");
    admin.create(COMPONENT.secrets(), revision);
    ObjectNode ask = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
    ask.putObject("metadata")
        .put("name", COMPONENT.preflight())
        .putObject("labels")
        .put(PreflightRecord.LABEL, COMPONENT.name());
    ask.putObject("data").put("endpoint", "unix:///nobody/listens/here");
    admin.create(COMPONENT.configMaps(), ask);
    ObjectNode target = JSON.createObjectNode();
    target
        .putObject("status")
        .putArray("nodeStatuses")
        .addObject()
        .put("nodeName", NODE)
        .put("targetRevision", 1);
    admin.mergePatch(COMPONENT.operatorPath() + "/status", target);
    var settings =
        new NodeSettings(
            NODE, new Place.Command(file, restart), Duration.ofSeconds(5), Duration.ofSeconds(30));
    return new NodeAgent(agent, agent, COMPONENT, settings, PluginObserver.NOBODY, nanos);
  }
}
