package io.keyward.testkit.sim;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.TurnPlan;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Statement 4: nothing is decided on top of a rollout that has not converged, and KEK convergence
/// is a question of its own. Compared with what instances run, not with what the plan is called.
final class RolloutRules {
  private static final Duration REPORT_HOLDS = Duration.ofMinutes(2);

  /// An API server may go on with its DEK seed this long.
  private static final Duration SEED_LIVES = Duration.ofMinutes(4);

  private final Server server;

  RolloutRules(Server server) {
    this.server = server;
  }

  void onPlan(ObservedState seen, TurnPlan plan, Operator planner, Kms kms) {
    String what = decided(plan);
    // Whether an instance of a managed server is ready is reported with a delay.
    PodSet pods = server.pods;
    boolean isSolid =
        server.runsLatest()
            && (pods == null
                ? server.managed || server.isConverged(kms)
                : server.isConverged(kms) && pods.starts(server.latest()));
    if (what != null && !isSolid) {
      throw broken(what + " while instances differ: " + plan.layout());
    }
    oneNodeAtATime(plan);
    if (pods != null && plan.rollout() instanceof RolloutDecision.Deploy(_, long revision)) {
      deploys(pods, revision, kms);
    }
    if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
      for (MigrationDecision.Step step : steps) {
        underOneKek(seen, step, planner);
      }
    }
  }

  private @Nullable String decided(TurnPlan plan) {
    if (plan.key() instanceof KeyDecision.Mint) {
      return "a key is made";
    }
    if (plan.layout().next().filter(next -> !isHarmless(next)).isPresent()) {
      return "a configuration is written";
    }
    if (plan.prune() instanceof PruneDecision.Delete) {
      return "keys are deleted";
    }
    return plan.migration() instanceof MigrationDecision.Work(var steps)
            && steps.stream()
                .anyMatch(step ->
                    step instanceof MigrationDecision.Start
                        || step instanceof MigrationDecision.Mark)
        ? "a migration is started or recorded"
        : null;
  }

  /// The same providers as in what is written or on its way, perhaps without a withdrawn key. An
  /// old copy that somebody put back counts as written where it takes nothing away.
  private boolean isHarmless(EncryptionLayout next) {
    var withdrawn = new TreeSet<KeySerial>();
    server.secrets.forEach((serial, secret) -> {
      if (!secret.damaged() && KeyCycles.isWithdrawn(secret.key())) {
        withdrawn.add(serial);
      }
    });
    EncryptionLayout newest = server.newestRevision().layout();
    EncryptionLayout found = server.published;
    EncryptionLayout written =
        server.isPutBack
                && (found == null
                    || newest == null
                    || !ProviderEntries.takesNothingAway(
                        newest, found, server.invariants::mayBePlain))
            ? null
            : found;
    return (written != null && ProviderEntries.areAlike(next, written, withdrawn))
        || (newest != null && ProviderEntries.areAlike(next, newest, withdrawn));
  }

  /// A node that is down may be down for want of the newest revision, and gets it beside another.
  /// One that is on its way gets a newer revision in place of the one that it was sent to.
  private void oneNodeAtATime(TurnPlan plan) {
    if (plan.rollout() instanceof RolloutDecision.Snapshot(long revision)
        && revision <= server.latest()) {
      throw new Violation(15, server.name + ": revision " + revision + " exists already");
    }
    if (!(plan.rollout() instanceof RolloutDecision.Advance(var node, long revision))) {
      return;
    }
    boolean isAlreadySent =
        server.instances.stream()
            .anyMatch(one -> one.node.equals(node) && one.target > one.revision);
    for (Instance instance : server.instances) {
      boolean isOther = !instance.node.equals(node);
      boolean isUnderWay = instance.target > instance.revision;
      boolean isDown = !instance.asNode().ready();
      if (isOther && (isUnderWay || isDown) && server.reportsReady(node) && !isAlreadySent) {
        throw broken(node + " gets " + revision + " beside " + instance.node);
      }
      if (!isOther && revision < instance.revision) {
        throw broken(node + " is sent back to " + revision);
      }
    }
    if (revision != server.latest()) {
      throw broken(node + " gets " + revision + ", not the newest revision");
    }
  }

  /// A Deployment gets the newest revision, and no other one while its pods are replaced and all is
  /// well. A template that somebody edited so that its label is not true is corrected at once: its
  /// pods would never count as running a revision.
  private void deploys(PodSet pods, long revision, Kms kms) {
    if (revision != server.latest()) {
      throw broken("the Deployment gets " + revision + ", not the newest revision");
    }
    boolean isWell = pods.starting.isEmpty();
    boolean isUnderWay = false;
    for (Instance pod : server.instances) {
      isWell &= server.isServing(pod, kms);
      isUnderWay |= pod.revision >= 0 && pod.revision < PodSet.revision(pods.template());
    }
    boolean isTrue =
        pods.template().label().equals(Integer.toString(PodSet.revision(pods.template())));
    if (isWell && isUnderWay && isTrue) {
      throw broken("the Deployment gets " + revision + " while its pods are replaced");
    }
  }

  private void underOneKek(ObservedState seen, MigrationDecision.Step step, Operator planner) {
    switch (step) {
      case MigrationDecision.Start start ->
          underOneKek(seen, start.target().writeKey(), start.target().kek(), planner);
      case MigrationDecision.Mark mark ->
          underOneKek(seen, mark.serial().toString(), mark.kek(), planner);
      case MigrationDecision.Abort _,
          MigrationDecision.Reencrypt _,
          MigrationDecision.RetryLater _,
          MigrationDecision.Unmark _,
          MigrationDecision.Watch _ -> {}
    }
  }

  /// All instances report it, in time, and no seed of the KEK before lives any more. By the clock
  /// of the world: those of nodes may be wrong.
  private void underOneKek(ObservedState seen, String key, Optional<KekId> kek, Operator planner) {
    if (kek.isEmpty()) {
      return;
    }
    for (Instance instance : server.instances) {
      boolean isSure = false;
      for (HealthReport report : seen.activity().reports()) {
        isSure |=
            report.node().equals(instance.node)
                && report.serial().toString().equals(key)
                && report.status() == HealthReport.Status.HEALTHY
                && report.kek().equals(kek)
                && !seen.at().isAfter(report.lastChecked().plus(REPORT_HOLDS))
                && server.keks.isOver(report, seen.at().minus(SEED_LIVES), planner);
      }
      if (!isSure) {
        throw broken("data is re-encrypted for KEK " + kek.get() + " before all have it");
      }
    }
  }

  private Violation broken(String what) {
    return new Violation(4, server.name + ": " + what);
  }
}
