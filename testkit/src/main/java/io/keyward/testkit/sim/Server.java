package io.keyward.testkit.sim;

import io.keyward.core.model.Activity;
import io.keyward.core.model.Condition;
import io.keyward.core.model.DamagedSecret;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.Mode;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.Problem;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Revisions;
import io.keyward.core.model.Rollout;
import io.keyward.core.model.Stored;
import io.keyward.core.model.Wanted;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.core.rollout.Pod;
import io.keyward.core.rollout.RolloutAssessor;
import io.keyward.core.rollout.RolloutBlocker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One API server: its secrets, revisions, instances, migrations and what it stored in etcd.
final class Server {
  static final int OBJECTS = 3;

  /// A key secret. What the text of a damaged one was is nobody's to know.
  record Secret(Key key, boolean damaged, int version) {}

  /// A snapshot of the configuration.
  ///
  /// @param vanished a fault took the configuration away
  /// @param version of the configuration it was taken from
  record Revision(@Nullable EncryptionLayout layout, boolean vanished, int version) {}

  record Migration(MigrationStatus status, int next, int version) {}

  final int index;
  final String name;

  /// Whether Keyward rolls its revisions out, through node agents; else its platform does. Those
  /// with an even number of instances, so that scenarios of either kind focus on one server.
  final boolean managed;

  final TreeMap<KeySerial, Secret> secrets = new TreeMap<>();
  final List<Revision> revisions = new ArrayList<>(List.of(new Revision(null, false, 0)));
  final List<Instance> instances = new ArrayList<>();
  final TreeMap<Resource, Migration> migrations = new TreeMap<>();
  final TreeMap<String, HealthReport> reports = new TreeMap<>();
  final Map<Resource, Value[]> etcd = new HashMap<>();
  final Invariants invariants = new Invariants(this);
  final PlanInvariants plans = new PlanInvariants(this);
  @Nullable EncryptionLayout published;
  int publishedVersion;
  boolean isPutBack;

  /// The version of the targets that the operator set.
  int targets;

  int lastConverged;
  PreflightState preflight = PreflightState.NONE;
  Wanted.@Nullable Kms tried;
  List<Condition> conditions = List.of();
  private int stamps;
  private int nodes;

  Server(int index, int count) {
    this.index = index;
    this.name = "server-" + index;
    this.managed = count % 2 == 0;
    for (int i = 0; i < count; i++) {
      instances.add(new Instance(newNode(), 0, 0));
    }
    for (Resource resource : Spec.RESOURCES.get(index)) {
      var values = new Value[OBJECTS];
      Arrays.fill(values, Value.PLAINTEXT);
      etcd.put(resource, values);
    }
  }

  String newNode() {
    return "node-" + index + "-" + nodes++;
  }

  /// What was last written is in the newest revision.
  boolean isSnapshot() {
    return managed
        ? Objects.equals(revisions.getLast().layout(), published)
        : revisions.getLast().version() == publishedVersion;
  }

  /// Grows with every change of a secret, a configuration or a migration.
  int stamps() {
    return stamps;
  }

  int stamp() {
    return ++stamps;
  }

  int latest() {
    return revisions.size() - 1;
  }

  @Nullable EncryptionLayout layoutOf(Instance instance) {
    return revisions.get(instance.revision).layout();
  }

  /// Somebody puts an old configuration back. It need not read everything: it must not be rolled
  /// out.
  void putBack(EncryptionLayout layout) {
    publish(layout);
    isPutBack = true;
  }

  void publish(@Nullable EncryptionLayout layout) {
    isPutBack = false;
    published = layout == null ? null : asParsed(layout);
    publishedVersion = stamp();
  }

  /// What a reader finds in a configuration: no marks, no reasons, no knowledge of secrets.
  private static EncryptionLayout asParsed(EncryptionLayout layout) {
    return layout.mapStacks(entry ->
        new KeyStack(
            entry.getValue().write(),
            entry.getValue().reads().stream()
                .map(slot -> new KeyStack.Slot(bare(slot.key()), slot.providerName()))
                .toList()));
  }

  private static Key bare(Key key) {
    return Key.unbacked(key.serial(), key.mode(), key.material(), key.kms());
  }

  boolean runsOneRevision() {
    for (Instance instance : instances) {
      if (instance.revision != instances.getFirst().revision) {
        return false;
      }
    }
    return true;
  }

  boolean isServing(Instance instance, Kms kms) {
    EncryptionLayout layout = layoutOf(instance);
    if (!instance.ready) {
      return false;
    }
    if (layout != null) {
      for (Key key : layout.keys()) {
        if (key.mode() == Mode.KMS && !key.kms().map(kms::works).orElse(false)) {
          return false;
        }
      }
    }
    return true;
  }

  boolean isConverged(Kms kms) {
    for (Instance instance : instances) {
      if (!isServing(instance, kms)) {
        return false;
      }
    }
    return runsOneRevision();
  }

  static String digest(long revision) {
    return "content of " + revision;
  }

  /// What node agents report, compared with the revisions that the cluster has.
  private Optional<Rollout> unknown() {
    var digests = new TreeMap<Long, String>();
    for (long revision = 0; revision <= latest(); revision++) {
      digests.put(revision, digest(revision));
    }
    var known = new KnownRevisions(latest(), digests, Optional.empty());
    var found =
        RolloutAssessor.unknown(
            instances.stream()
                .flatMap(instance -> known.unknown(instance.claim()).stream())
                .toList());
    return found.map(one ->
        RolloutAssessor.rollout(one, latest(), this::layoutOf, Collections.emptySortedSet()));
  }

  Rollout rollout(Kms kms) {
    Optional<Rollout> unknown = unknown();
    if (unknown.isPresent()) {
      return unknown.orElseThrow();
    }
    return managed ? reported() : played(kms);
  }

  /// As the operator reads it from what node agents report.
  private Rollout reported() {
    var names = new TreeSet<String>();
    var pods = new ArrayList<Pod>();
    var blockers = new ArrayList<RolloutBlocker>();
    for (Instance instance : instances) {
      names.add(instance.node);
      pods.add(instance.asPod());
      RolloutBlocker.of(instance.asNode()).ifPresent(blockers::add);
    }
    return RolloutAssessor.rollout(
        RolloutAssessor.assess(names, pods, latest(), blockers), latest(), this::layoutOf, names);
  }

  private Optional<EncryptionLayout> layoutOf(long revision) {
    return Optional.ofNullable(revisions.get((int) revision).layout());
  }

  boolean reportsReady(String node) {
    return instances.stream()
        .anyMatch(instance -> instance.node.equals(node) && instance.asNode().ready());
  }

  Revisions revisions() {
    if (!managed) {
      return Revisions.NONE;
    }
    int newest = latest();
    for (Instance instance : instances) {
      newest = Math.max(newest, Math.max(instance.target, (int) instance.asNode().current()));
    }
    return new Revisions(
        Optional.ofNullable(published).map(this::content),
        new Revisions.Manifest.Unused(),
        latest(),
        Optional.ofNullable(revisions.getLast().layout()).map(this::content),
        instances.stream().map(Instance::asNode).toList(),
        Optional.empty(),
        List.of(),
        new TreeSet<>(),
        layoutOf(newest));
  }

  /// Equal for equal configurations.
  private String content(EncryptionLayout layout) {
    for (int i = latest(); i > 0; i--) {
      if (Objects.equals(layout, revisions.get(i).layout())) {
        return digest(i);
      }
    }
    return "in no revision";
  }

  private Rollout played(Kms kms) {
    if (instances.stream().anyMatch(instance -> instance.failed)) {
      return new Rollout.Stuck("an instance failed for good");
    }
    // A revision that runs nowhere yet may be taken up at any moment.
    if (!isConverged(kms) || instances.getFirst().revision != latest()) {
      return new Rollout.Rolling(
          "an instance is not ready or runs another revision", running(), isLatestFailing(kms));
    }
    var nodeNames = new TreeSet<String>();
    var witness = new StringBuilder();
    for (Instance instance : instances) {
      nodeNames.add(instance.node);
      witness.append(instance.node).append('/').append(instance.revision);
      witness.append('@').append(instance.startedAt).append(',');
    }
    int revision = instances.getFirst().revision;
    return new Rollout.Converged(
        revision,
        Optional.ofNullable(revisions.get(revision).layout()),
        witness.toString(),
        nodeNames);
  }

  private boolean isLatestFailing(Kms kms) {
    return instances.stream()
        .anyMatch(instance -> instance.revision == latest() && !isServing(instance, kms));
  }

  private Optional<EncryptionLayout> running() {
    return runsOneRevision() && instances.getFirst().revision == latest()
        ? Optional.ofNullable(layoutOf(instances.getFirst()))
        : Optional.empty();
  }

  Stored stored() {
    var keys = new ArrayList<Key>();
    var damaged = new ArrayList<DamagedSecret>();
    secrets.forEach((serial, secret) -> {
      if (secret.damaged()) {
        String where = "encryption-key-" + name + "-" + serial;
        damaged.add(
            new DamagedSecret(where, Optional.of(serial), new Problem(where, "has no mode")));
      } else {
        keys.add(secret.key());
      }
    });
    return new Stored(keys, damaged, Optional.ofNullable(published));
  }

  Activity activity() {
    var running = new TreeMap<Resource, MigrationStatus>();
    migrations.forEach((resource, migration) -> running.put(resource, migration.status()));
    return new Activity(running, preflight, List.copyOf(reports.values()), Optional.empty());
  }
}
