package io.keyward.testkit.sim;

import io.keyward.core.health.HealthDecision;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Carries one plan out: turns it into writes, each of which fails if its object is no longer what
/// was looked at.
final class Shell {
  private final World world;
  private final Server server;
  private final ObservedState seen;
  private final Operator.Cache cache;
  private final List<Runnable> writes = new ArrayList<>();

  Shell(World world, Server server, ObservedState seen, Operator.Cache cache) {
    this.world = world;
    this.server = server;
    this.seen = seen;
    this.cache = cache;
  }

  List<Runnable> writes(TurnPlan plan) {
    queueMigration(plan);
    queueKey(plan);
    queueLayout(plan);
    queuePreflight(plan);
    queuePrune(plan);
    queueOrphans(plan);
    writes.add(() -> server.conditions = plan.conditions());
    return writes;
  }

  private void queueKey(TurnPlan plan) {
    Fingerprint config = seen.wanted().kms().map(Wanted.Kms::config).orElse(null);
    switch (plan.key()) {
      case KeyDecision.Mint mint -> {
        // Whoever lost the lead must not mint a serial that another leader has used and lost.
        int published = server.publishedVersion;
        writes.add(() -> {
          if (server.publishedVersion == published) {
            mint(mint, config);
          }
        });
      }
      case KeyDecision.Restore(var keys) -> keys.forEach(key -> queuePut(key.asBacked(), () -> {}));
      case KeyDecision.Refresh(var keys) ->
          keys.forEach(key -> queuePut(key, () -> server.invariants.onConfig(key, config)));
      case KeyDecision.Retract(var key) -> queuePut(key, () -> {});
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _, KeyDecision.Refuse _ -> {}
    }
  }

  private void mint(KeyDecision.Mint mint, @Nullable Fingerprint config) {
    if (server.secrets.containsKey(mint.serial())) {
      return;
    }
    Bytes material =
        mint.mode().isLocal() ? Bytes.copyOf(material(++world.materials)) : Key.NULL_MATERIAL;
    Key key = mint.key(material);
    server.invariants.onCreate(key, config);
    server.secrets.put(mint.serial(), new Server.Secret(key, false, server.stamp()));
  }

  /// Begins with a word that must never be read anywhere.
  private static byte[] material(long number) {
    return ByteBuffer.allocate(32)
        .put(PlanInvariants.SECRET.getBytes(StandardCharsets.UTF_8))
        .putLong(number)
        .array();
  }

  private void queuePut(Key key, Runnable check) {
    int version = version(key.serial());
    writes.add(() -> {
      if (version(key.serial()) == version) {
        check.run();
        server.secrets.put(key.serial(), new Server.Secret(key, false, server.stamp()));
      }
    });
  }

  private int version(KeySerial serial) {
    Server.Secret secret = server.secrets.get(serial);
    return secret == null ? 0 : secret.version();
  }

  private int version(Resource resource) {
    return version(server.migrations.get(resource));
  }

  private static int version(Server.@Nullable Migration migration) {
    return migration == null ? 0 : migration.version();
  }

  private void queueLayout(TurnPlan plan) {
    if (plan.layout() instanceof LayoutDecision.Commit(var key)) {
      queuePut(key, () -> {});
    }
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

  private void queueMigration(TurnPlan plan) {
    if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
      for (MigrationDecision.Step step : steps) {
        int version = version(cache.migrations().get(step.resource()));
        switch (step) {
          case MigrationDecision.Start start -> writes.add(() -> start(start, version));
          case MigrationDecision.Abort abort ->
              writes.add(() -> {
                if (version(abort.resource()) == version) {
                  server.migrations.remove(abort.resource());
                }
              });
          case MigrationDecision.Mark mark -> queueMark(mark, version);
          case MigrationDecision.Unmark unmark -> queueUnmark(unmark);
          case MigrationDecision.Watch _, MigrationDecision.RetryLater _ -> {}
        }
      }
    }
  }

  private void start(MigrationDecision.Start start, int version) {
    if (version(start.resource()) == version) {
      var status =
          new MigrationStatus(
              start.resource(), start.target(), start.witness(), start.attempt(), new Running());
      server.migrations.put(start.resource(), new Server.Migration(status, 0, server.stamp()));
    }
  }

  private void queueMark(MigrationDecision.Mark mark, int migration) {
    int version = version(mark.serial());
    writes.add(() -> {
      if (version(mark.resource()) == migration) {
        update(mark.serial(), version, m -> mark.on(m, world.instant()));
      }
    });
  }

  private void queueUnmark(MigrationDecision.Unmark unmark) {
    int version = version(unmark.serial());
    writes.add(() -> update(unmark.serial(), version, unmark::on));
  }

  private void update(KeySerial serial, int version, UnaryOperator<Migrated> change) {
    Server.Secret secret = server.secrets.get(serial);
    if (secret != null && secret.version() == version && !secret.damaged()) {
      Key key = secret.key().with(change.apply(secret.key().migrated()));
      server.secrets.put(serial, new Server.Secret(key, false, server.stamp()));
    }
  }

  private void queuePreflight(TurnPlan plan) {
    PreflightState before = cache.preflight();
    Runnable act =
        switch (plan.preflight()) {
          case PreflightDecision.Deploy(var config, _) ->
              () -> {
                server.tried = seen.wanted().kms().orElseThrow();
                var run =
                    new PreflightState.Run(
                        Optional.of(config),
                        PreflightState.Phase.RUNNING,
                        Optional.of(world.instant()),
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

  private void queueOrphans(TurnPlan plan) {
    for (HealthDecision.Orphan orphan : plan.health().orphans()) {
      String name = orphan.node() + "/" + orphan.serial();
      HealthReport before = cache.reports().get(name);
      writes.add(() -> {
        if (Objects.equals(server.reports.get(name), before)) {
          server.reports.remove(name);
        }
      });
    }
  }

  private void queuePrune(TurnPlan plan) {
    if (plan.prune() instanceof PruneDecision.Delete(var serials, var damaged)) {
      for (KeySerial serial : serials) {
        queueDelete(serial);
      }
      for (String name : damaged) {
        queueDelete(new KeySerial(Long.parseLong(name.substring(name.lastIndexOf('-') + 1))));
      }
    }
  }

  private void queueDelete(KeySerial serial) {
    int version = version(serial);
    writes.add(() -> {
      if (version(serial) == version && version != 0) {
        server.invariants.onPrune(serial);
        server.secrets.remove(serial);
      }
    });
  }
}
