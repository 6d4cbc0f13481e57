package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.act.Act;
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
import io.keyward.core.model.Revisions;
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
import io.keyward.operator.SiteSnapshot;
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
  static final String MANAGED = "/api/v1/namespaces/openshift-config-managed/";
  static final String NODE = "a";
  private static final String IN_TREE =
      "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations/"
          + "encryption-migration-core-limitranges";
  private static final String THEIRS =
      "/apis/migration.k8s.io/v1alpha1/storageversionmigrations/"
          + "encryption-migration-core-limitranges";

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: kube-apiserver, labels: {revision: REVISION}}
      spec: {containers: [{name: kube-apiserver, command: [kube-apiserver]}]}
      """;

  private final Component component;
  private final Migrator.Kind kind;
  private final Api admin;
  private final Api operator;
  private final Api agent;
  private final Path directory;

  UsesOfRights(Installation installed, Api admin, Api operator, Api agent, Path directory) {
    this.component = installed.component();
    this.kind = installed.migrator();
    this.admin = admin;
    this.operator = operator;
    this.agent = agent;
    this.directory = directory;
  }

  /// Every kind of request that the operator makes, by its own code. Ends where one is refused.
  void operate() throws InterruptedException {
    tidy();
    if (isStaticPod()) {
      admin.create(component.configMaps(), pod(component.podConfigMap(), POD));
    }
    InstantSource clock = InstantSource.system();
    try (var migrator = Migrator.of(kind, operator, clock, () -> {})) {
      var site =
          new KubeSite(
              operator,
              component,
              Settings.DEFAULT,
              clock,
              migrator,
              FeatureGates.DEFAULT,
              KubeSite.Access.ACTS);
      SiteSnapshot seen = site.observe();
      seen.apply(
          new Act.MintKey(new Mint(new KeySerial(1), Mode.AESCBC, Optional.empty(), "test", "")));
      seen = site.observe();
      Key key = seen.state().stored().secrets().getFirst();
      seen.apply(new Act.PutKey(key));
      seen.apply(new Act.PublishLayout(layout(key, true)));
      if (seen.state().revisions().manifest() instanceof Revisions.Manifest.Present(var needs)) {
        seen.apply(new Act.CompleteManifest(needs));
        seen = site.observe();
      }
      seen.apply(new Act.CreateRevision(1));
      seen.apply(new Act.PublishLayout(layout(key, false)));
      leaveIncomplete(1);
      seen.apply(new Act.CreateRevision(1));
      seen.apply(new Act.SetTarget(NODE, 1));
      if (component.deployment().isPresent()) {
        seen.apply(new Act.UpdateDeployment(component.deployment().orElseThrow(), 1));
      }
      // The last one makes the one before it needless.
      seen.apply(new Act.CreateRevision(2));
      seen.apply(new Act.CreateRevision(7));
      seen.apply(new Act.RunPreflight(new Fingerprint("AAAAAAAA"), 1));
      migrate(site, migrator);
      seen = site.observe();
      seen.apply(
          new Act.MarkMigrated(
              new MigrationDecision.Mark(
                  Installation.LIMITS, key.serial(), Optional.empty(), Optional.empty())));
      seen.apply(new Act.AbortMigration(Installation.LIMITS));
      seen.apply(new Act.CleanPreflight());
      seen.apply(
          new Act.PruneKeys(
              new PruneDecision.Delete(new TreeSet<>(List.of(key.serial())), List.of())));
      seen.apply(new Act.Announce("Tested", "all was done"));
    }
    if (!admin.text("/api/v1/namespaces/kube-system/events").contains("all was done")) {
      throw new ClusterFailure("no event");
    }
    watch(new Watches(operator, List.of(component), kind, () -> {}));
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

  private boolean isStaticPod() {
    return component.workload() == Workload.STATIC_POD;
  }

  private static ObjectNode pod(String name, String manifest) {
    ObjectNode json = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
    json.putObject("metadata").put("name", name);
    json.putObject("data").put(Component.POD_KEY, manifest);
    return json;
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
        Installation.LIMITS,
        new KeyStack(
            writes ? Optional.of(key.serial()) : Optional.empty(),
            List.of(new KeyStack.Slot(key, ""))));
    return new EncryptionLayout(stacks);
  }

  private void migrate(KubeSite site, Migrator migrator) {
    start(site, 1);
    if (kind == Migrator.Kind.OURS) {
      finish(migrator);
    } else {
      // Whoever else migrates has rights of its own. A second attempt takes the first one back.
      start(site, 2);
    }
  }

  private static void start(KubeSite site, int attempt) {
    site.observe()
        .apply(
            new Act.StartMigration(
                new MigrationDecision.Start(
                    Installation.LIMITS,
                    new MigrationTarget("1", Optional.empty()),
                    "w",
                    attempt)));
  }

  private void finish(Migrator migrator) {
    Waiting.until(
        () -> {
          migrator.tend(component, migrator.look(component));
          return Optional.ofNullable(migrator.look(component).get(Installation.LIMITS))
              .filter(one -> !(one.status().state() instanceof State.Running))
              .isPresent();
        },
        Duration.ofSeconds(5));
    MigrationRecord ended =
        Optional.ofNullable(migrator.look(component).get(Installation.LIMITS)).orElseThrow();
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
            IN_TREE,
            THEIRS,
            "/api/v1/namespaces/kube-system/secrets/encryption-config-1",
            "/api/v1/namespaces/kube-system/secrets/encryption-config-2",
            "/api/v1/namespaces/kube-system/secrets/encryption-config-7",
            "/api/v1/namespaces/kube-system/configmaps/revision-status-1",
            "/api/v1/namespaces/kube-system/configmaps/revision-status-2",
            "/api/v1/namespaces/kube-system/configmaps/revision-status-7",
            "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-pod",
            "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-pod-1",
            "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-pod-2",
            "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-pod-7",
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
    Path root = Files.createTempDirectory(directory, "node");
    Path file = root.resolve(isStaticPod() ? "manifests/kube-apiserver.yaml" : "config");
    Files.createDirectories(file.getParent());
    var place =
        isStaticPod()
            ? new Place.StaticPod(root, Path.of("/resources"), Path.of("/manifests"))
            : new Place.Command(file, List.of("true"));
    nodeAgent(place, System::nanoTime).step();
    JsonNode seen = admin.get(component.operatorPath()).orElseThrow();
    if (!Files.exists(file)
        || !seen.at("/status/nodeStatuses/0").has("startedTime")
        || !admin
            .get(component.configMaps() + "/" + component.preflight())
            .orElseThrow()
            .path("data")
            .has("node." + NODE)) {
      throw new ClusterFailure("not served");
    }
    watch(Watches.ofAgent(agent, component, () -> {}));
  }

  /// One that has a revision to bring and a preflight to answer.
  NodeAgent nodeAgent(Place place, LongSupplier nanos) {
    tidy();
    ObjectNode revision = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    revision.putObject("metadata").put("name", "encryption-config-1");
    revision.putObject("data").put("encryption-config", "e30=");
    admin.create(component.secrets(), revision);
    if (isStaticPod()) {
      admin.create(component.configMaps(), pod(component.podRevision(1), POD));
    }
    ObjectNode ask = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
    ask.putObject("metadata")
        .put("name", component.preflight())
        .putObject("labels")
        .put(PreflightRecord.LABEL, component.name());
    ask.putObject("data").put("endpoint", "unix:///nobody/listens/here");
    admin.create(component.configMaps(), ask);
    ObjectNode target = JSON.createObjectNode();
    target
        .putObject("status")
        .putArray("nodeStatuses")
        .addObject()
        .put("nodeName", NODE)
        .put("targetRevision", 1);
    admin.mergePatch(component.operatorPath() + "/status", target);
    var settings = new NodeSettings(NODE, place, Duration.ofSeconds(5), Duration.ofSeconds(30));
    return new NodeAgent(agent, agent, component, settings, PluginObserver.NOBODY, nanos);
  }
}
