package io.keyward.testkit.sim;

import io.keyward.core.model.AuditProof;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.testkit.sim.node.AgentRules;
import io.keyward.testkit.sim.node.Machine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One API server: its secrets, revisions, instances, migrations and what it stored in etcd.
final class Server {
  static final int OBJECTS = 3;

  /// A greater number of instances stands for a Deployment.
  static final int MOST_NODES = 5;

  /// A key secret. What the text of a damaged one was is nobody's to know.
  record Secret(Key key, boolean damaged, int version) {}

  /// A snapshot of the configuration.
  ///
  /// @param vanished a fault took the configuration away
  /// @param version of the configuration it was taken from
  record Revision(@Nullable EncryptionLayout layout, boolean vanished, int version) {
    /// The same for every copy of one configuration.
    String digest() {
      return "configuration " + version;
    }
  }

  /// An object that admission refuses to have updated.
  record Refused(Resource resource, int object) {}

  /// The parts of a revision that is not complete yet.
  ///
  /// @param owner changes whenever somebody begins it
  record Unfinished(int number, int owner, @Nullable EncryptionLayout layout) {}

  record Migration(MigrationStatus status, int next, int version) {}

  private final int count;
  final int index;
  final String name;

  /// Whether Keyward rolls its revisions out, through node agents; else its platform does. Those
  /// with an even number of instances, so that scenarios of either kind focus on one server.
  final boolean managed;

  /// Its pods, where it is a Deployment.
  final @Nullable PodSet pods;

  final TreeMap<KeySerial, Secret> secrets = new TreeMap<>();

  /// Those that are announced as available.
  final TreeMap<Integer, Revision> revisions =
      new TreeMap<>(Map.of(0, new Revision(null, false, 0)));

  /// Numbers of revisions that are complete, and that a crash kept from being announced.
  final TreeSet<Long> taken = new TreeSet<>();

  @Nullable Unfinished unfinished;
  final List<Instance> instances = new ArrayList<>();

  /// Of nodes that were removed from the cluster.
  final List<RemovedInstance> removed = new ArrayList<>();

  final TreeMap<Resource, Migration> migrations = new TreeMap<>();
  final TreeMap<String, HealthReport> reports = new TreeMap<>();

  /// What was true when these were written.
  final KekChanges keks = new KekChanges();

  final Map<Resource, Value[]> etcd = new HashMap<>();

  /// Grows whenever a value is stored.
  int etcdVersion;

  final Invariants invariants = new Invariants(this);
  final PlanInvariants plans = new PlanInvariants(this);
  final RolloutView view = new RolloutView(this);
  @Nullable EncryptionLayout published;
  int publishedVersion;
  boolean isPutBack;

  /// Whether etcd was restored from a backup.
  boolean isRestored;

  /// What etcd held after every step; empty where nobody asks.
  final List<EtcdBackup> backups = new ArrayList<>();

  final Set<Refused> refused = new HashSet<>();

  /// Of the status that holds targets and the newest revision.
  int statusVersion;

  int lastConverged;
  PreflightState preflight = PreflightState.NONE;
  @Nullable KmsKey tried;
  @Nullable AuditProof audit;
  List<Condition> conditions = List.of();
  private int stamps;
  private int nodes;

  private final AgentRules rules;

  Server(int index, int count, AgentRules rules) {
    this.index = index;
    this.rules = rules;
    this.name = "server-" + index;
    this.count = count;
    this.pods = count > MOST_NODES ? new PodSet(this, count - MOST_NODES) : null;
    this.managed = pods != null || count % 2 == 0;
    for (int i = 0; i < (pods == null ? count : pods.replicas); i++) {
      Instance added = newInstance(0, newestRevision(), 0);
      if (pods != null) {
        added.template = pods.template();
      }
      instances.add(added);
    }
    for (Resource resource : Spec.RESOURCES.get(index)) {
      var values = new Value[OBJECTS];
      Arrays.fill(values, Value.PLAINTEXT);
      etcd.put(resource, values);
    }
  }

  /// On a new node, which was set up with this.
  Instance newInstance(int revision, Revision files, long now) {
    var added = new Instance("node-" + index + "-" + nodes++, revision, files, now);
    provision(added, now);
    return added;
  }

  /// Two nodes are static pods, four are not.
  void provision(Instance instance, long now) {
    if (managed && pods == null) {
      var machine = Machine.of(count == 2, nodes - 1);
      instance.machine = new NodeMachine(this, instance, machine, rules, now);
    }
  }

  /// A node is removed from the cluster, and its machine runs on.
  void remove(Instance instance, long stopsAt) {
    instances.remove(instance);
    removed.add(new RemovedInstance(instance, stopsAt));
  }

  /// Time passes for machines that were removed.
  void pass(long now) {
    for (RemovedInstance one : removed) {
      if (one.pass(now)) {
        statusVersion = stamp();
      }
    }
    removed.removeIf(one -> !one.runs() && !one.isListed());
  }

  /// All that may write, whether or not the cluster lists their nodes.
  List<Instance> writers() {
    if (removed.isEmpty()) {
      return instances;
    }
    var all = new ArrayList<>(instances);
    for (RemovedInstance one : removed) {
      if (one.runs()) {
        all.add(one.instance);
      }
    }
    return all;
  }

  List<RemovedNode> removedNodes() {
    return removed.stream().filter(RemovedInstance::isListed).map(RemovedInstance::asNode).toList();
  }

  /// What was last written is in the newest revision.
  boolean isSnapshot() {
    return managed
        ? Objects.equals(newestRevision().layout(), published)
        : newestRevision().version() == publishedVersion;
  }

  /// Grows with every change of a secret, a configuration or a migration.
  int stamps() {
    return stamps;
  }

  int stamp() {
    return ++stamps;
  }

  int latest() {
    return revisions.lastKey();
  }

  Revision newestRevision() {
    return revisions.lastEntry().getValue();
  }

  Revision revision(int number) {
    Revision exact = revisions.get(number);
    return exact == null ? revisions.floorEntry(number).getValue() : exact;
  }

  @Nullable EncryptionLayout layoutOf(Instance instance) {
    return instance.runs.layout();
  }

  /// Somebody puts an old configuration back. It need not read everything: it must not be rolled
  /// out.
  void putBack(EncryptionLayout layout) {
    publish(layout);
    isPutBack = true;
  }

  void publish(@Nullable EncryptionLayout layout) {
    isPutBack = false;
    published = layout == null ? null : StoredForm.of(name, layout);
    publishedVersion = stamp();
  }

  int version(KeySerial serial) {
    Secret secret = secrets.get(serial);
    return secret == null ? 0 : secret.version();
  }

  int version(Resource resource) {
    Migration migration = migrations.get(resource);
    return migration == null ? 0 : migration.version();
  }

  boolean runsOneRevision() {
    for (Instance instance : instances) {
      if (instance.revision != instances.getFirst().revision) {
        return false;
      }
    }
    return true;
  }

  /// The oldest revision that an instance runs, if all of them encrypt and decrypt alike. Nobody
  /// goes back behind it: that rollout has reached every instance.
  OptionalInt oldestOfOneContent() {
    int oldest = Integer.MAX_VALUE;
    EncryptionLayout first = instances.getFirst().runs.layout();
    for (Instance instance : instances) {
      EncryptionLayout runs = instance.runs.layout();
      boolean isAlike =
          Objects.equals(first, runs)
              || (first != null && runs != null && ProviderEntries.areAlike(first, runs, Set.of()));
      if (!isAlike) {
        return OptionalInt.empty();
      }
      oldest = Math.min(oldest, instance.revision);
    }
    return OptionalInt.of(oldest);
  }

  /// Whether an instance runs a configuration that was there before Keyward.
  boolean runsForeign() {
    for (Instance instance : instances) {
      if (instance.isForeign) {
        return true;
      }
    }
    return false;
  }

  boolean runsUnknown() {
    for (Instance instance : instances) {
      if (isUnknown(instance)) {
        return true;
      }
    }
    return false;
  }

  boolean runsLatest() {
    return runsOneRevision() && instances.getFirst().revision == latest();
  }

  boolean isServing(Instance instance, Kms kms) {
    EncryptionLayout layout = layoutOf(instance);
    if (!instance.ready) {
      return false;
    }
    if (layout != null) {
      if (instance.template != null && !PodSet.reachesPlugins(instance.template, layout)) {
        return false;
      }
      for (Key key : layout.keys()) {
        if (key.mode() == Mode.KMS && !kms.works(key.kms().orElseThrow(), instance)) {
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

  boolean reportsReady(String node) {
    return instances.stream()
        .anyMatch(instance -> instance.node.equals(node) && instance.asNode().ready());
  }

  /// Whether an instance runs files that the cluster has not.
  private boolean isUnknown(Instance instance) {
    return instance.isUnknown()
        || (isRestored && instance.revision > 0 && !revisions.containsValue(instance.runs));
  }
}
