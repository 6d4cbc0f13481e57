package io.keyward.testkit.sim;

import io.keyward.core.health.Probe;
import io.keyward.core.health.ProbeReader;
import io.keyward.core.model.AuditProof;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Everything there is: three API servers, a KMS, an admin's wish, two operators, and the time.
final class World {
  static final int SERVERS = 3;

  /// Few unused keys are kept, so that pruning is tried often.
  static final Settings SETTINGS =
      new Settings(
          Duration.ofDays(7),
          Duration.ofDays(2),
          1,
          Duration.ofHours(1),
          Duration.ofSeconds(30),
          Duration.ofMinutes(4),
          false);

  final Brain brain;
  final Kms kms = new Kms();
  final Spec spec = new Spec();
  final List<Server> servers = new ArrayList<>();
  private final SimulatedPreflights preflights = new SimulatedPreflights(this);
  final List<Operator> operators = List.of(new Operator(this), new Operator(this));

  /// Requests that their sender gave up on, and that arrive all the same.
  final Deque<Operator.Queued> underway = new ArrayDeque<>();

  long now = 1_700_000_000L;
  long plans;

  /// Steps of plans, each of which fails as a whole.
  long steps;

  long materials;

  /// Whether etcd can be restored from a snapshot of every step.
  boolean keepsBackups;

  World(List<Integer> instances, Brain brain) {
    this.brain = brain;
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new Server(i, instances.get(i), brain.agent()));
    }
    servers.forEach(server -> server.invariants.onSpec(spec));
  }

  /// An instance stores one object, with whatever it runs.
  void store(Server server, Instance instance, Resource resource, int object, boolean late) {
    Value sealed = seal(server, instance, resource, late);
    Value[] values = server.etcd.get(resource);
    if (sealed != null && values != null) {
      values[object] = sealed;
      server.etcdVersion++;
    }
  }

  private @Nullable Value seal(Server server, Instance instance, Resource resource, boolean late) {
    EncryptionLayout layout = server.layoutOf(instance);
    if (layout == null) {
      return instance.runs.vanished() ? Value.LEAKED : Value.PLAINTEXT;
    }
    KeyStack.Slot slot = writer(layout, resource);
    if (slot == null || slot.key().mode() == Mode.IDENTITY) {
      return Value.PLAINTEXT;
    }
    if (slot.key().mode() != Mode.KMS) {
      return new Value(slot.key(), "", null);
    }
    if (!kms.works(slot.key().kms().orElseThrow(), instance)) {
      return null;
    }
    int remoteKey = Kms.remoteKeyOf(slot.key().kms().orElseThrow());
    if (!instance.hasSeen(remoteKey)) {
      // An API server asks its plugin before it writes, and so does the monitor beside it.
      monitor(server, instance);
    }
    KekId kek = instance.writesUnder(remoteKey, kms.kek(remoteKey), now, late);
    return new Value(slot.key(), slot.providerName(), kek);
  }

  private static KeyStack.@Nullable Slot writer(EncryptionLayout layout, Resource resource) {
    KeyStack stack = layout.stacks().get(resource);
    if (stack != null) {
      for (KeyStack.Slot slot : stack.reads()) {
        if (stack.write().filter(slot.key().serial()::equals).isPresent()) {
          return slot;
        }
      }
    }
    return null;
  }

  /// A migration rewrites its next object through some instance.
  void migrate(Server server, Resource resource, Instance instance, boolean late) {
    Server.Migration migration = server.migrations.get(resource);
    if (migration == null
        || !(migration.status().state() instanceof State.Running)
        || !server.isServing(instance, kms)) {
      return;
    }
    if (seal(server, instance, resource, late) == null) {
      return;
    }
    if (server.refused.contains(new Server.Refused(resource, migration.next()))) {
      failMigration(server, resource, "admission refused an object");
      return;
    }
    store(server, instance, resource, migration.next(), late);
    boolean done = migration.next() + 1 == Server.OBJECTS;
    State state = done ? new State.Succeeded(instant()) : migration.status().state();
    server.migrations.put(
        resource,
        new Server.Migration(
            withState(migration.status(), state), migration.next() + 1, migration.version()));
  }

  void failMigration(Server server, Resource resource, String why) {
    Server.Migration migration = server.migrations.get(resource);
    if (migration != null && migration.status().state() instanceof State.Running) {
      var failed = new State.Failed(instant(), why);
      server.migrations.put(
          resource, new Server.Migration(withState(migration.status(), failed), 0, server.stamp()));
    }
  }

  private static MigrationStatus withState(MigrationStatus status, State state) {
    return new MigrationStatus(
        status.resource(), status.target(), status.witness(), status.attempt(), state);
  }

  void monitor(Server server, Instance instance) {
    EncryptionLayout layout = server.layoutOf(instance);
    if (layout == null) {
      return;
    }
    for (Key key : layout.keys()) {
      if (key.mode() == Mode.KMS && key.kms().isPresent()) {
        String name = instance.node + "/" + key.serial();
        HealthReport stored = StoredForm.of(report(instance, key, server.reports.get(name)));
        server.reports.put(name, stored);
        server.keks.reported(stored, instance.change(Kms.remoteKeyOf(key.kms().orElseThrow())));
      }
    }
  }

  private HealthReport report(Instance instance, Key key, @Nullable HealthReport last) {
    int remoteKey = Kms.remoteKeyOf(key.kms().orElseThrow());
    Probe probe = new Probe.Failure("the KMS did not answer");
    if (kms.works(key.kms().orElseThrow(), instance)) {
      instance.look(remoteKey, kms.kek(remoteKey), now);
      probe = new Probe.Answer("v2", "ok", kms.kek(remoteKey).value());
    }
    return ProbeReader.read(
        instance.node,
        key.serial(),
        probe,
        Optional.ofNullable(last),
        instant().plusSeconds(instance.clockIsAhead));
  }

  void preflight(Server server, boolean speaks) {
    preflights.work(server, speaks);
  }

  /// The agent of a node takes a step; on a platform there is none.
  void act(Instance instance, int writes) {
    if (instance.machine != null) {
      instance.machine.act(this, writes);
    }
  }

  /// A platform brings its newest revision. Where it has none, the files stay.
  void rollOut(Server server, Instance instance) {
    if (instance.isForeign && server.latest() == 0) {
      instance.restart(now);
    } else {
      instance.restart(server.latest(), server.newestRevision(), now);
    }
  }

  /// An audit reads all of etcd.
  void audit(Server server) {
    var used = new HashSet<KeySerial>();
    for (Value[] values : server.etcd.values()) {
      for (Value value : values) {
        Key key = value.sealedBy();
        if (key != null) {
          used.add(key.serial());
        }
      }
    }
    server.audit = new AuditProof(instant(), used);
  }

  /// The platform takes a revision.
  void snapshot(Server server) {
    if (!server.managed && server.published != null && !server.isSnapshot()) {
      server.revisions.put(
          server.latest() + 1,
          new Server.Revision(server.published, false, server.publishedVersion));
    }
  }

  Instant instant() {
    return Instant.ofEpochSecond(now);
  }
}
