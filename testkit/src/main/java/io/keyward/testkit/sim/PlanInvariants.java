package io.keyward.testkit.sim;

import io.keyward.core.event.EventReporter;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Activity;
import io.keyward.core.model.Condition;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KmsWish;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Rollout;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.TurnPlan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Optional;

/// The statements of the design that a plan must keep: 3, 4, 6, 8, 9, 10 and 12.
final class PlanInvariants {
  /// In every credential and every key of the simulated world.
  static final String SECRET = "s3cr3t";

  private static final String SECRET_BASE64 =
      Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

  private final Server server;

  PlanInvariants(Server server) {
    this.server = server;
  }

  void onPlan(ObservedState seen, TurnPlan plan, Kms kms) {
    // What every instance runs, or is on its way to, may be written again at any time.
    boolean restores =
        plan.layout() instanceof LayoutDecision.Republish(var layout)
            && seen.running()
                .or(() -> seen.revisions().newest())
                .filter(layout::hasSameProviders)
                .isPresent();
    boolean acts =
        plan.key() instanceof KeyDecision.Mint
            || (plan.layout().next().isPresent()
                && !restores
                && !(plan.layout() instanceof LayoutDecision.RefreshPlugins)
                && !(plan.layout() instanceof LayoutDecision.Retract));
    // Whether an instance of a managed server is ready is reported with a delay.
    if (acts && !(server.managed ? server.runsOneRevision() : server.isConverged(kms))) {
      throw new Violation(4, server.name + ": acts while instances differ: " + plan.layout());
    }
    if (seen.rollout() instanceof Rollout.Unknown && writes(plan)) {
      throw new Violation(12, server.name + ": acts over an unknown revision: " + plan.layout());
    }
    if (plan.key() instanceof KeyDecision.Mint mint) {
      onMint(seen, mint);
    }
    rollsOutInOrder(plan);
    startsForTheWriteKey(seen, plan);
    waitsInWords(seen, plan);
    for (Condition condition : plan.conditions()) {
      tellsNothing(condition.type(), condition.message());
      tellsNothing(condition.type(), condition.reason());
    }
  }

  /// One node at a time, and no number twice. Compared with what instances run, not with reports. A
  /// node that is down may be down for want of the newest revision, and gets it beside another.
  private void rollsOutInOrder(TurnPlan plan) {
    if (plan.rollout() instanceof RolloutDecision.Snapshot(long revision)
        && revision <= server.latest()) {
      throw new Violation(15, server.name + ": revision " + revision + " exists already");
    }
    if (plan.rollout() instanceof RolloutDecision.Advance(var node, long revision)) {
      for (Instance instance : server.instances) {
        boolean isUnderWay = instance.target > instance.revision && !instance.node.equals(node);
        if (isUnderWay && server.reportsReady(node)) {
          throw new Violation(
              4, server.name + ": " + node + " gets " + revision + " beside " + instance.node);
        }
      }
    }
  }

  /// Keys, configurations, migrations or what is pruned.
  private static boolean writes(TurnPlan plan) {
    boolean keeps =
        switch (plan.key()) {
          case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _, KeyDecision.Refuse _ ->
              true;
          case KeyDecision.Mint _,
              KeyDecision.Restore _,
              KeyDecision.Refresh _,
              KeyDecision.Retract _ ->
              false;
        };
    return !keeps
        || plan.layout().next().isPresent()
        || plan.layout() instanceof LayoutDecision.Commit
        || plan.migration() instanceof MigrationDecision.Work
        || plan.prune() instanceof PruneDecision.Delete;
  }

  /// What costs more is asked of some plans only.
  void onPlanAgain(ObservedState seen, TurnPlan plan, Brain brain) {
    if (!brain.plan(seen).equals(plan)) {
      throw new Violation(9, server.name + ": two plans for one state");
    }
    tellsNothing("the plan", plan.toString());
    EventReporter.report(seen, plan).forEach(event -> tellsNothing("an event", event.message()));
    TurnPlan blind = brain.plan(withoutKeks(seen));
    if (!blind.key().equals(plan.key()) || !blind.layout().equals(plan.layout())) {
      throw new Violation(
          6, server.name + ": a KEK decides about a key or a revision: " + plan.layout());
    }
  }

  private static ObservedState withoutKeks(ObservedState seen) {
    var reports = new ArrayList<HealthReport>();
    for (HealthReport report : seen.activity().reports()) {
      reports.add(
          new HealthReport(
              report.node(),
              report.serial(),
              report.status(),
              report.lastChecked(),
              Optional.empty(),
              report.statusSince(),
              Optional.empty(),
              report.detail()));
    }
    var activity = seen.activity();
    return seen.with(
        new Activity(activity.migrations(), activity.preflight(), reports, activity.audit()));
  }

  /// In plain sight or in base64.
  private void tellsNothing(String who, String text) {
    if (text.contains(SECRET) || text.contains(SECRET_BASE64)) {
      throw new Violation(10, server.name + ": " + who + " tells a secret");
    }
  }

  /// A migration rewrites what all instances write anyway, never to anything else.
  private void startsForTheWriteKey(ObservedState seen, TurnPlan plan) {
    if (!(plan.migration() instanceof MigrationDecision.Work(var steps))) {
      return;
    }
    for (MigrationDecision.Step step : steps) {
      if (step instanceof MigrationDecision.Start start) {
        String writes =
            seen.deployed()
                .filter(_ -> seen.wanted().resources().contains(start.resource()))
                .flatMap(layout -> layout.stack(start.resource()).write())
                .map(KeySerial::toString)
                .orElse(MigrationTarget.plaintext().writeKey());
        if (!writes.equals(start.target().writeKey())) {
          throw new Violation(
              6,
              server.name + ": a migration to " + start.target() + ", but " + writes + " writes");
        }
      }
    }
  }

  private void onMint(ObservedState seen, KeyDecision.Mint mint) {
    Key newest = seen.ring().newest().orElse(null);
    if (newest == null) {
      return;
    }
    if (newest.backed()
        && !seen.isAbandoned(newest)
        && !newest.isMigratedFor(seen.wanted().resources())) {
      throw new Violation(3, server.name + ": a second key is on its way: " + mint.serial());
    }
    boolean sameWish =
        newest.backed()
            && newest.mode() == Mode.KMS
            && mint.mode() == Mode.KMS
            && KmsWish.isSameRemoteKey(seen.wanted(), newest)
            && !KmsWish.isForced(seen.wanted(), newest);
    if (sameWish) {
      throw new Violation(6, server.name + ": a key without a reason: " + mint.serial());
    }
  }

  private void waitsInWords(ObservedState seen, TurnPlan plan) {
    boolean waits =
        plan.key() instanceof KeyDecision.Wait
            || plan.layout() instanceof LayoutDecision.Wait
            || plan.migration() instanceof MigrationDecision.Wait
            || plan.prune() instanceof PruneDecision.Wait;
    Condition said =
        plan.conditions().stream()
            .filter(c -> c.type().equals("EncryptionWaiting"))
            .filter(c -> c.status() == Condition.Status.TRUE)
            .findFirst()
            .orElse(null);
    if (waits
        && (said == null
            || !said.message().contains("this ends when")
            || said.since().isAfter(seen.at()))) {
      throw new Violation(8, server.name + ": waits without a word");
    }
    Condition before =
        seen.conditions().stream()
            .filter(c -> c.type().equals("EncryptionWaiting"))
            .findFirst()
            .orElse(null);
    if (said != null
        && before != null
        && before.status() == said.status()
        && before.reason().equals(said.reason())
        && !before.since().equals(said.since())) {
      throw new Violation(8, server.name + ": forgot since when it waits");
    }
  }
}
