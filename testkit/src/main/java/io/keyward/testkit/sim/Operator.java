package io.keyward.testkit.sim;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Activity;
import io.keyward.core.model.Bytes;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.Migrated;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State.Running;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Wanted;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.turn.TurnPlan;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An operator process. Looks once, then carries the plan out write by write; each write fails if
/// what it was based on has changed. A crash forgets the rest.
final class Operator {
  private final World world;
  private final Deque<Runnable> writes = new ArrayDeque<>();
  private final Map<Integer, Lagging> caches = new TreeMap<>();

  /// What comes through informers and may be old.
  private record Lagging(List<HealthReport> reports) {}

  Operator(World world) {
    this.world = world;
  }

  void crash() {
    writes.clear();
    caches.clear();
  }

  boolean isBusy() {
    return !writes.isEmpty();
  }

  void write() {
    Runnable next = writes.poll();
    if (next != null) {
      next.run();
    }
  }

  void observe(Server server, boolean lag) {
    ObservedState seen = look(server, lag);
    TurnPlan plan = world.brain.plan(seen);
    world.plans++;
    if (world.plans % 16 == 0 && !world.brain.plan(seen).equals(plan)) {
      throw new Violation(9, server.name + ": two plans for one state");
    }
    server.invariants.onPlan(seen, plan, world.kms);
    queueMigration(server, plan);
    queueKey(server, plan, seen);
    queueLayout(server, plan);
    queuePreflight(server, plan, seen);
    queuePrune(server, plan);
    plan.health()
        .orphans()
        .forEach(orphan -> server.reports.remove(orphan.node() + "/" + orphan.serial()));
    writes.add(() -> server.conditions = plan.conditions());
  }

  private ObservedState look(Server server, boolean lag) {
    var live = new Lagging(List.copyOf(server.reports.values()));
    Lagging cached = lag ? caches.getOrDefault(server.index, live) : live;
    caches.put(server.index, cached);
    var activity = server.activity();
    return new ObservedState(
        Instant.ofEpochSecond(world.now),
        server.name,
        world.spec.wanted(server.index, world.kms),
        server.stored(),
        server.rollout(world.kms),
        new Activity(
            activity.migrations(), activity.preflight(), cached.reports(), Optional.empty()),
        server.conditions,
        World.SETTINGS);
  }

  private void queueKey(Server server, TurnPlan plan, ObservedState seen) {
    Fingerprint config = seen.wanted().kms().map(Wanted.Kms::config).orElse(null);
    switch (plan.key()) {
      case KeyDecision.Mint mint -> {
        // Whoever lost the lead must not mint a serial that another leader has used and lost.
        int published = server.publishedVersion;
        writes.add(() -> {
          if (server.publishedVersion == published) {
            mint(server, mint, config);
          }
        });
      }
      case KeyDecision.Restore(var keys) ->
          keys.forEach(key -> queuePut(server, key.asBacked(), () -> {}));
      case KeyDecision.Refresh(var keys) ->
          keys.forEach(key -> queuePut(server, key, () -> server.invariants.onConfig(key, config)));
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _, KeyDecision.Refuse _ -> {}
    }
  }

  private void mint(Server server, KeyDecision.Mint mint, @Nullable Fingerprint config) {
    if (server.secrets.containsKey(mint.serial())) {
      return;
    }
    Bytes material =
        mint.mode().isLocal()
            ? Bytes.copyOf(ByteBuffer.allocate(32).putLong(++world.materials).array())
            : Key.NULL_MATERIAL;
    var key =
        new Key(
            mint.serial(),
            mint.mode(),
            material,
            true,
            mint.kms(),
            Migrated.NOTHING,
            mint.internalReason(),
            mint.externalReason());
    server.invariants.onCreate(key, config);
    server.secrets.put(mint.serial(), new Server.Secret(key, false, server.stamp()));
  }

  private void queuePut(Server server, Key key, Runnable check) {
    int version = version(server, key.serial());
    writes.add(() -> {
      if (version(server, key.serial()) == version) {
        check.run();
        server.secrets.put(key.serial(), new Server.Secret(key, false, server.stamp()));
      }
    });
  }

  private static int version(Server server, KeySerial serial) {
    Server.Secret secret = server.secrets.get(serial);
    return secret == null ? 0 : secret.version();
  }

  private static int version(Server server, Resource resource) {
    Server.Migration migration = server.migrations.get(resource);
    return migration == null ? 0 : migration.version();
  }

  private void queueLayout(Server server, TurnPlan plan) {
    int version = server.publishedVersion;
    plan.layout()
        .next()
        .ifPresent(layout ->
            writes.add(() -> {
              if (server.publishedVersion == version) {
                server.invariants.onPublish(layout);
                server.publish(layout);
              }
            }));
  }

  private void queueMigration(Server server, TurnPlan plan) {
    if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
      for (MigrationDecision.Step step : steps) {
        int version = version(server, step.resource());
        switch (step) {
          case MigrationDecision.Start start -> writes.add(() -> start(server, start, version));
          case MigrationDecision.Abort abort ->
              writes.add(() -> {
                if (version(server, abort.resource()) == version) {
                  server.migrations.remove(abort.resource());
                }
              });
          case MigrationDecision.Mark mark -> queueMark(server, mark, version);
          case MigrationDecision.Unmark unmark -> queueUnmark(server, unmark);
          case MigrationDecision.Watch _, MigrationDecision.RetryLater _ -> {}
        }
      }
    }
  }

  private static void start(Server server, MigrationDecision.Start start, int version) {
    if (version(server, start.resource()) == version) {
      var status =
          new MigrationStatus(
              start.resource(), start.target(), start.witness(), start.attempt(), new Running());
      server.migrations.put(start.resource(), new Server.Migration(status, 0, server.stamp()));
    }
  }

  private void queueMark(Server server, MigrationDecision.Mark mark, int migration) {
    int version = version(server, mark.serial());
    writes.add(() -> {
      if (version(server, mark.resource()) == migration) {
        update(
            server,
            mark.serial(),
            version,
            m -> m.with(mark.resource(), mark.kek(), Instant.ofEpochSecond(world.now)));
      }
    });
  }

  private void queueUnmark(Server server, MigrationDecision.Unmark unmark) {
    int version = version(server, unmark.serial());
    writes.add(() ->
        update(
            server,
            unmark.serial(),
            version,
            m ->
                switch (unmark.extent()) {
                  case RESOURCE -> m.without(unmark.resource());
                  case KEK_ONLY -> m.withoutKek(unmark.resource());
                }));
  }

  private static void update(
      Server server, KeySerial serial, int version, UnaryOperator<Migrated> change) {
    Server.Secret secret = server.secrets.get(serial);
    if (secret != null && secret.version() == version && !secret.damaged()) {
      Key key = secret.key().with(change.apply(secret.key().migrated()));
      server.secrets.put(serial, new Server.Secret(key, false, server.stamp()));
    }
  }

  private void queuePreflight(Server server, TurnPlan plan, ObservedState seen) {
    PreflightState before = server.preflight;
    Runnable act =
        switch (plan.preflight()) {
          case PreflightDecision.Deploy(var config, _) ->
              () -> {
                server.tried = seen.wanted().kms().orElseThrow();
                var run =
                    new PreflightState.Run(
                        Optional.of(config),
                        PreflightState.Phase.RUNNING,
                        Optional.of(Instant.ofEpochSecond(world.now)),
                        Optional.empty(),
                        Optional.empty());
                server.preflight =
                    new PreflightState(Optional.of(config), before.result(), Optional.of(run));
              };
          case PreflightDecision.Clean _ ->
              () ->
                  server.preflight =
                      new PreflightState(before.observed(), before.result(), Optional.empty());
          case PreflightDecision.Conclude(var result) ->
              () ->
                  server.preflight =
                      new PreflightState(before.observed(), Optional.of(result), before.run());
          case PreflightDecision.NotNeeded _,
              PreflightDecision.Passed _,
              PreflightDecision.Watch _,
              PreflightDecision.Backoff _ ->
              () -> {};
        };
    writes.add(() -> {
      if (server.preflight.equals(before)) {
        act.run();
      }
    });
  }

  private void queuePrune(Server server, TurnPlan plan) {
    if (plan.prune() instanceof PruneDecision.Delete(var serials, var damaged)) {
      for (KeySerial serial : serials) {
        queueDelete(server, serial);
      }
      for (String name : damaged) {
        queueDelete(
            server, new KeySerial(Long.parseLong(name.substring(name.lastIndexOf('-') + 1))));
      }
    }
  }

  private void queueDelete(Server server, KeySerial serial) {
    int version = version(server, serial);
    writes.add(() -> {
      if (version(server, serial) == version && version != 0) {
        server.invariants.onPrune(serial);
        server.secrets.remove(serial);
      }
    });
  }
}
