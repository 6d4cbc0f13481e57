package io.keyward.node.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.codec.object.Labels;
import io.keyward.core.act.Act;
import io.keyward.core.key.KeyDecision.Mint;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.preflight.PreflightCandidate;
import io.keyward.core.prune.PruneDecision;
import io.keyward.engine.Outcome;
import io.keyward.engine.SiteSnapshot;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.leader.Leadership;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import io.keyward.kube.site.Watches;
import io.keyward.node.host.HostKind;
import io.keyward.node.plugin.PluginObserver;
import io.keyward.node.plugin.PluginTiming;
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
public final class UsesOfRights {
  static final String MANAGED = "/api/v1/namespaces/openshift-config-managed/";
  static final String NODE = "a";
  private static final String IN_TREE =
      "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations/"
          + "encryption-migration-core-limitranges.kube-apiserver";
  private static final String THEIRS =
      "/apis/migration.k8s.io/v1alpha1/storageversionmigrations/"
          + "encryption-migration-core-limitranges.kube-apiserver";

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
    try (var migrator = Migrator.of(kind, operator, component.home(), clock, _ -> {})) {
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
      apply(
          seen,
          new Act.MintKey(new Mint(new KeySerial(1), Mode.AESCBC, Optional.empty(), "test", "")));
      seen = site.observe();
      Key key = seen.state().stored().secrets().getFirst();
      apply(seen, new Act.PutKey(key));
      apply(seen, new Act.PublishLayout(layout(key, true)));
      if (seen.state().revisions().manifest() instanceof Revisions.Manifest.Present(var needs)) {
        apply(seen, new Act.CompleteManifest(needs));
        seen = site.observe();
      }
      apply(seen, new Act.CreateRevision(1));
      apply(seen, new Act.PublishLayout(layout(key, false)));
      leaveIncomplete(1);
      apply(seen, new Act.CreateRevision(1));
      apply(seen, new Act.SetTarget(NODE, 1));
      if (component.deployment().isPresent()) {
        apply(seen, new Act.UpdateDeployment(component.deployment().orElseThrow(), 1));
      }
      // The last one makes the one before it needless.
      apply(seen, new Act.CreateRevision(2));
      apply(seen, new Act.CreateRevision(7));
      apply(seen, new Act.RunPreflight(candidate(), 1));
      migrate(site, migrator);
      seen = site.observe();
      apply(
          seen,
          new Act.MarkMigrated(
              new MigrationDecision.Mark(
                  Installation.LIMITS, key.serial(), Optional.empty(), Optional.empty())));
      apply(seen, new Act.AbortMigration(Installation.LIMITS));
      apply(seen, new Act.CleanPreflight());
      apply(
          seen,
          new Act.PruneKeys(
              new PruneDecision.Delete(new TreeSet<>(List.of(key.serial())), List.of())));
      apply(seen, new Act.Announce("Tested", "all was done"));
    }
    if (!admin.text("/api/v1/namespaces/kube-system/events").contains("all was done")) {
      throw new ClusterFailure("no event");
    }
    watch(new Watches(operator, List.of(component), kind, _ -> {}));
  }

  /// Fails where the act does: an act that is refused uses no permission.
  private static void apply(SiteSnapshot seen, Act act) {
    Outcome outcome = seen.apply(act);
    if (!(outcome instanceof Outcome.Done)) {
      throw new ClusterFailure(act.getClass().getSimpleName() + ": " + outcome);
    }
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

  /// A plugin that a user runs.
  private static PreflightCandidate candidate() {
    var kms =
        new KmsKey(
            new KmsEndpoint("v2", "unix:///run/k.sock", "10s"),
            Optional.empty(),
            ReferenceData.NONE,
            ReferenceData.NONE);
    return new PreflightCandidate(
        new Fingerprint("AAAAAAAA"),
        Key.unbacked(KeySerial.FIRST, Mode.KMS, Key.NULL_MATERIAL, Optional.of(kms)),
        EncryptionLayout.EMPTY);
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
          migrator.tend(component, migrator.look(operator, component));
          return Optional.ofNullable(migrator.look(operator, component).get(Installation.LIMITS))
              .filter(one -> !(one.status().state() instanceof State.Running))
              .isPresent();
        },
        Duration.ofSeconds(5));
    MigrationRecord ended =
        Optional.ofNullable(migrator.look(operator, component).get(Installation.LIMITS))
            .orElseThrow();
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
            MANAGED + "configmaps/encryption-migration-core-limitranges.kube-apiserver",
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
        .list("/api/v1/namespaces/kube-system/events", Labels.ANY)
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
            ? new HostKind.StaticPod(root, Path.of("/resources"), Path.of("/manifests"))
            : new HostKind.Command(file, List.of("true"));
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
  NodeAgent nodeAgent(HostKind place, LongSupplier nanos) {
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
        .put("keyward.io/preflight-of", component.name());
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
    var settings =
        new NodeSettings(
            NODE,
            place,
            Duration.ofSeconds(5),
            new PluginTiming(Duration.ofSeconds(10), Duration.ofSeconds(30)));
    return new NodeAgent(agent, agent, component, settings, PluginObserver.NOBODY, nanos);
  }
}
