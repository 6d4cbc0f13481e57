package io.keyward.testkit.sim;

import io.keyward.core.act.Act;
import io.keyward.core.health.HealthDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State.Running;
import io.keyward.core.model.Resource;
import io.keyward.core.model.kms.PreflightState;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The writes that start and end what others work on: migrations, preflights, reports.
final class WorkShell {
  private final World world;
  private final Server server;

  WorkShell(World world, Server server) {
    this.world = world;
    this.server = server;
  }

  private boolean heeds(Precondition precondition) {
    return world.brain.heeds(precondition.name());
  }

  List<Write> migration(Act.OnMigrations act) {
    return switch (act) {
      case Act.StartMigration(var start) -> List.of(read -> start(start, read));
      case Act.AbortMigration(var resource) -> List.of(read -> abort(resource, read));
      case Act.ResumeMigrations _, Act.PauseMigrations _ -> List.of();
    };
  }

  private boolean isMigrationModified(Resource resource, OperatorReading read) {
    Server.Migration before = read.migrations.get(resource);
    return server.version(resource) != (before == null ? 0 : before.version())
        && heeds(Precondition.MIGRATION_VERSION);
  }

  private boolean start(MigrationDecision.Start start, OperatorReading read) {
    if (isMigrationModified(start.resource(), read)) {
      return false;
    }
    var status =
        new MigrationStatus(
            start.resource(), start.target(), start.witness(), start.attempt(), new Running());
    var migration = new Server.Migration(status, 0, server.stamp());
    server.migrations.put(start.resource(), migration);
    read.migrations.put(start.resource(), migration);
    return true;
  }

  private boolean abort(Resource resource, OperatorReading read) {
    if (isMigrationModified(resource, read)) {
      return false;
    }
    server.migrations.remove(resource);
    read.migrations.remove(resource);
    return true;
  }

  Write preflight(Act.OnPreflight act) {
    return switch (act) {
      case Act.RunPreflight(var candidate, _) ->
          read ->
              update(
                  read,
                  before -> {
                    server.tried = candidate.kms();
                    var run =
                        new PreflightState.Run(
                            Optional.of(candidate.config()),
                            PreflightState.Phase.RUNNING,
                            Optional.of(world.instant()),
                            Optional.empty(),
                            Optional.empty());
                    return new PreflightState(
                        Optional.of(candidate.config()),
                        before.result(),
                        Optional.of(run),
                        before.others());
                  });
      case Act.CleanPreflight _ ->
          read ->
              update(
                  read,
                  before ->
                      new PreflightState(
                          before.observed(), before.result(), Optional.empty(), before.others()));
      case Act.ConcludePreflight(var result, var requested) ->
          read -> update(read, before -> before.with(result, requested));
    };
  }

  private boolean update(OperatorReading read, UnaryOperator<PreflightState> change) {
    if (!server.preflight.equals(read.preflight) && heeds(Precondition.PREFLIGHT_VERSION)) {
      return false;
    }
    server.preflight = change.apply(read.preflight);
    read.preflight = server.preflight;
    return true;
  }

  boolean drop(HealthDecision.Orphan orphan, OperatorReading read) {
    String name = orphan.node() + "/" + orphan.serial();
    if (!Objects.equals(server.reports.get(name), read.reports.get(name))
        && heeds(Precondition.REPORT_VERSION)) {
      return false;
    }
    server.reports.remove(name);
    return true;
  }
}
