package io.keyward.testkit.sim;

import io.keyward.core.health.Probe;
import io.keyward.core.health.ProbeReader;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.KekId;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Mode;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.PreflightState.Report;
import io.keyward.core.model.PreflightState.Run;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
  final List<Operator> operators = List.of(new Operator(this), new Operator(this));

  /// Requests that their sender gave up on, and that arrive all the same.
  final Deque<Runnable> underway = new ArrayDeque<>();

  long now = 1_700_000_000L;
  long plans;
  long materials;

  World(List<Integer> instances, Brain brain) {
    this.brain = brain;
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new Server(i, instances.get(i)));
    }
    servers.forEach(server -> server.invariants.onSpec(spec));
  }

  /// An instance stores one object, with whatever it runs.
  void store(Server server, Instance instance, Resource resource, int object, boolean late) {
    Value sealed = seal(server, instance, resource, late);
    Value[] values = server.etcd.get(resource);
    if (sealed != null && values != null) {
      values[object] = sealed;
    }
  }

  private @Nullable Value seal(Server server, Instance instance, Resource resource, boolean late) {
    EncryptionLayout layout = server.layoutOf(instance);
    if (layout == null) {
      return server.revisions.get(instance.revision).vanished() ? Value.LEAKED : Value.PLAINTEXT;
    }
    KeyStack stack = layout.stack(resource);
    KeyStack.Slot slot = stack.write().flatMap(stack::slot).orElse(null);
    if (slot == null || slot.key().mode() == Mode.IDENTITY) {
      return Value.PLAINTEXT;
    }
    if (slot.key().mode() != Mode.KMS) {
      return new Value(slot.key(), "", null);
    }
    if (!slot.key().kms().map(kms::works).orElse(false)) {
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
    store(server, instance, resource, migration.next(), late);
    boolean done = migration.next() + 1 == Server.OBJECTS;
    State state = done ? new State.Succeeded(instant()) : migration.status().state();
    server.migrations.put(
        resource,
        new Server.Migration(
            withState(migration.status(), state), migration.next() + 1, migration.version()));
  }

  static MigrationStatus withState(MigrationStatus status, State state) {
    return new MigrationStatus(
        status.resource(), status.target(), status.witness(), status.attempt(), state);
  }

  void monitor(Server server, Instance instance) {
    instance.report(server.isServing(instance, kms));
    EncryptionLayout layout = server.layoutOf(instance);
    if (layout == null) {
      return;
    }
    for (Key key : layout.keys()) {
      if (key.mode() == Mode.KMS && key.kms().isPresent()) {
        String name = instance.node + "/" + key.serial();
        server.reports.put(name, report(instance, key, server.reports.get(name)));
      }
    }
  }

  private HealthReport report(Instance instance, Key key, @Nullable HealthReport last) {
    int remoteKey = Kms.remoteKeyOf(key.kms().orElseThrow());
    Probe probe = new Probe.Failure("the KMS did not answer");
    if (kms.works(key.kms().orElseThrow())) {
      instance.look(remoteKey, kms.kek(remoteKey), now);
      probe = new Probe.Answer("v2", "ok", kms.kek(remoteKey).value());
    }
    return ProbeReader.read(
        instance.node, key.serial(), probe, Optional.ofNullable(last), instant());
  }

  /// The preflight pod does its work.
  void preflight(Server server, boolean speaks) {
    PreflightState state = server.preflight;
    Run run = state.run().orElse(null);
    if (run == null || server.tried == null || run.report().isPresent()) {
      return;
    }
    var key = server.tried.keyFor(KeySerial.FIRST);
    boolean works = kms.works(key);
    if (works) {
      server.invariants.onPassed(server.tried.config());
    }
    Optional<Report> report =
        speaks || works
            ? Optional.of(
                new Report(
                    works,
                    works ? Optional.of(kms.kek(Kms.remoteKeyOf(key))) : Optional.empty(),
                    works ? "" : "the KMS did not answer"))
            : Optional.empty();
    server.preflight =
        new PreflightState(
            state.observed(),
            state.result(),
            Optional.of(
                new Run(
                    run.config(),
                    works ? PreflightState.Phase.SUCCEEDED : PreflightState.Phase.FAILED,
                    run.startedAt(),
                    report,
                    Optional.empty())));
  }

  /// A node agent brings the revision that the operator set for its node, and restarts an API
  /// server that failed.
  void bring(Instance instance) {
    if (instance.target > instance.revision || instance.failed) {
      instance.restart(Math.max(instance.target, instance.revision), now);
    }
  }

  /// The platform takes a revision.
  void snapshot(Server server) {
    if (!server.managed && server.published != null && !server.isSnapshot()) {
      server.revisions.add(new Server.Revision(server.published, false, server.publishedVersion));
    }
  }

  Instant instant() {
    return Instant.ofEpochSecond(now);
  }
}
