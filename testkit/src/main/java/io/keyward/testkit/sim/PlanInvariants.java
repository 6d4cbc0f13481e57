package io.keyward.testkit.sim;

import io.keyward.core.event.EventReporter;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Activity;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.TurnPlan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The statements of the design that a plan must keep: 4, 6, 8, 9, 10, 12 and 15.
final class PlanInvariants {
  /// In every credential and every key of the simulated world.
  static final String SECRET = "s3cr3t";

  private static final String SECRET_BASE64 =
      Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

  private static final String PLAINTEXT = "identity";

  private final Server server;
  private final RolloutRules rollout;
  private final Waits waits;

  PlanInvariants(Server server) {
    this.server = server;
    this.rollout = new RolloutRules(server);
    this.waits = new Waits(server);
  }

  /// A plan was made.
  ///
  /// @param planner whose plan it is
  /// @param kms absent where the plan stands on old readings: then its writes are refused
  void onPlan(ObservedState seen, TurnPlan plan, Operator planner, @Nullable Kms kms) {
    if (kms != null) {
      rollout.onPlan(seen, plan, planner, kms);
      if (server.runsUnknown() && writes(plan)) {
        throw new Violation(12, server.name + ": acts over an unknown revision: " + plan.layout());
      }
      if (server.runsForeign() && writes(plan)) {
        throw new Violation(11, server.name + ": acts over data that others encrypted");
      }
      if (plan.key() instanceof KeyDecision.Mint mint) {
        hasAReason(seen, mint);
      }
      startsForTheWriteKey(seen, plan);
    }
    waits.onPlan(seen, plan, kms != null);
    for (Condition condition : plan.conditions()) {
      tellsNothing(condition.type(), condition.message());
      tellsNothing(condition.type(), condition.reason());
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
        || plan.prune() instanceof PruneDecision.Delete
        || plan.rollout() instanceof RolloutDecision.Snapshot
        || plan.rollout() instanceof RolloutDecision.Advance
        || plan.rollout() instanceof RolloutDecision.Deploy;
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
    EncryptionLayout runs = server.layoutOf(server.instances.getFirst());
    for (MigrationDecision.Step step : steps) {
      if (step instanceof MigrationDecision.Start start) {
        KeyStack stack =
            runs == null || !seen.wanted().resources().contains(start.resource())
                ? null
                : runs.stacks().get(start.resource());
        String writes =
            stack == null ? PLAINTEXT : stack.write().map(KeySerial::toString).orElse(PLAINTEXT);
        if (!writes.equals(start.target().writeKey())) {
          throw new Violation(
              6,
              server.name + ": a migration to " + start.target() + ", but " + writes + " writes");
        }
      }
    }
  }

  /// A KEK that was rotated is none: the same remote key needs a wish for another key.
  private void hasAReason(ObservedState seen, KeyDecision.Mint mint) {
    Server.Secret secret =
        server.secrets.descendingMap().values().stream()
            .filter(one -> one.damaged() || !KeyCycles.isWithdrawn(one.key()))
            .findFirst()
            .orElse(null);
    if (secret == null || secret.damaged() || secret.key().mode() != Mode.KMS) {
      return;
    }
    Key newest = secret.key();
    String asked =
        seen.wanted()
            .kms()
            .map(kms -> ProviderEntries.remoteKeyOf(newest.with(kms.keyFor(newest.serial()))))
            .orElse(null);
    String reason = seen.wanted().externalReason();
    boolean isForced = !reason.isEmpty() && !reason.equals(newest.externalReason());
    if (mint.mode() == Mode.KMS
        && Objects.equals(asked, ProviderEntries.remoteKeyOf(newest))
        && !isForced) {
      throw new Violation(6, server.name + ": a key without a reason: " + mint.serial());
    }
  }
}
