package io.keyward.testkit.sim;

import io.keyward.core.act.Act;
import io.keyward.core.act.Acts;
import io.keyward.core.act.Step;
import io.keyward.core.health.HealthDecision;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Bytes;
import io.keyward.core.model.EncryptionLayout;
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
    for (Step step : Acts.of(seen, plan)) {
      step.acts().forEach(act -> queue(act, plan));
    }
    return writes;
  }

  private void queue(Act act, TurnPlan plan) {
    switch (act) {
      case Act.OnKeys one -> queueKey(one, plan);
      case Act.PublishLayout(var layout) -> queueLayout(layout);
      case Act.OnMigrations one -> queueMigration(one);
      case Act.OnPreflight one -> queuePreflight(one);
      case Act.OnRevisions one -> queueRevision(one);
      case Act.DropReports(var orphans) -> orphans.forEach(this::queueOrphan);
      case Act.SetConditions(var conditions) -> writes.add(() -> server.conditions = conditions);
      case Act.Announce _ -> {}
    }
  }

  private void queueKey(Act.OnKeys act, TurnPlan plan) {
    Fingerprint config = seen.wanted().kms().map(Wanted.Kms::config).orElse(null);
    switch (act) {
      case Act.MintKey(var mint) -> {
        // A former leader must not mint a serial that another leader has used and lost.
        int published = server.publishedVersion;
        writes.add(() -> {
          if (server.publishedVersion == published) {
            mint(mint, config);
          }
        });
      }
      case Act.PutKey(var key) ->
          queuePut(
              key,
              plan.key() instanceof KeyDecision.Refresh
                  ? () -> server.invariants.onConfig(key, config)
                  : () -> {});
      case Act.MarkMigrated(var mark) -> queueMark(mark, seenVersion(mark.resource()));
      case Act.UnmarkMigrated(var unmark) -> queueUnmark(unmark);
      case Act.PruneKeys(var delete) -> queuePrune(delete);
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

  private void queueLayout(EncryptionLayout layout) {
    int version = server.publishedVersion;
    writes.add(() -> {
      if (server.publishedVersion == version) {
        server.invariants.onPublish(layout);
        server.publish(layout);
      }
    });
  }

  private int seenVersion(Resource resource) {
    return version(cache.migrations().get(resource));
  }

  private void queueMigration(Act.OnMigrations act) {
    switch (act) {
      case Act.StartMigration(var start) -> {
        int version = seenVersion(start.resource());
        writes.add(() -> start(start, version));
      }
      case Act.AbortMigration(var resource) -> {
        int version = seenVersion(resource);
        writes.add(() -> {
          if (version(resource) == version) {
            server.migrations.remove(resource);
          }
        });
      }
      case Act.ResumeMigrations _, Act.PauseMigrations _ -> {}
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

  private void queuePreflight(Act.OnPreflight act) {
    PreflightState before = cache.preflight();
    Runnable write =
        switch (act) {
          case Act.RunPreflight(var config, _) ->
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
          case Act.CleanPreflight _ ->
              () ->
                  server.preflight =
                      new PreflightState(before.observed(), before.result(), Optional.empty());
          case Act.ConcludePreflight(var result) ->
              () ->
                  server.preflight =
                      new PreflightState(before.observed(), Optional.of(result), before.run());
        };
    writes.add(() -> {
      if (server.preflight.equals(before)) {
        write.run();
      }
    });
  }

  private void queueOrphan(HealthDecision.Orphan orphan) {
    String name = orphan.node() + "/" + orphan.serial();
    HealthReport before = cache.reports().get(name);
    writes.add(() -> {
      if (Objects.equals(server.reports.get(name), before)) {
        server.reports.remove(name);
      }
    });
  }

  private void queueRevision(Act.OnRevisions act) {
    switch (act) {
      case Act.CreateRevision(long number) -> {
        int version = server.publishedVersion;
        writes.add(() -> {
          if (server.publishedVersion == version) {
            snapshot(number);
          }
        });
      }
      case Act.SetTarget(var node, long revision) -> {
        int version = server.targets;
        writes.add(() -> {
          if (server.targets == version) {
            advance(node, (int) revision);
          }
        });
      }
      case Act.CompleteManifest _, Act.UpdateDeployment _, Act.AskNodes _, Act.DropNodes _ -> {}
    }
  }

  /// The objects of a revision have its number in their names, so a second writer finds them.
  private void snapshot(long revision) {
    if (revision == server.latest() + 1L) {
      server.revisions.add(new Server.Revision(server.published, false, server.publishedVersion));
      server.stamp();
    }
  }

  private void advance(String node, int revision) {
    for (Instance instance : server.instances) {
      if (instance.node.equals(node)) {
        instance.target = revision;
        server.targets = server.stamp();
      }
    }
  }

  private void queuePrune(PruneDecision.Delete delete) {
    delete.serials().forEach(this::queueDelete);
    for (String name : delete.damaged()) {
      queueDelete(new KeySerial(Long.parseLong(name.substring(name.lastIndexOf('-') + 1))));
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
