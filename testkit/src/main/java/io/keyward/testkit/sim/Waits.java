package io.keyward.testkit.sim;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.key.Mode;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.TurnPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statement 8: whatever waits says on what, since when, and what ends the wait.
final class Waits {
  private static final String WAITING = "EncryptionWaiting";

  private final Server server;

  Waits(Server server) {
    this.server = server;
  }

  private record Wait(Blocker blocker, String on) {}

  void onPlan(ObservedState seen, TurnPlan plan, boolean live) {
    List<Wait> waits = waits(plan);
    Condition told = find(plan.conditions());
    boolean isTold = told != null && told.status() == Condition.Status.TRUE;
    if (waits.isEmpty() && isTold) {
      throw broken("says that it waits and does not: " + told);
    }
    // The first one that is told explains the others.
    if (!waits.isEmpty() && (!isTold || waits.stream().noneMatch(wait -> tells(told, wait)))) {
      throw broken("waits without a word: " + waits);
    }
    // In old objects, encryption may not have been enabled yet, and where others encrypt, nobody
    // may have requested it: then nothing is said at all.
    boolean isAsked = seen.wanted().mode() != Mode.IDENTITY || !server.runsForeign();
    if (live && isAsked && plan.rollout() instanceof RolloutDecision.Wait && !isTold) {
      throw broken("the rollout waits without a word");
    }
    if (told != null) {
      keepsItsBegin(seen, told);
    }
    retriesAreTold(plan);
  }

  private static List<Wait> waits(TurnPlan plan) {
    var waits = new ArrayList<Wait>();
    if (plan.layout() instanceof LayoutDecision.Wait(var blocker, var on)) {
      waits.add(new Wait(blocker, on));
    }
    if (plan.key() instanceof KeyDecision.Wait(var blocker, var on)) {
      waits.add(new Wait(blocker, on));
    }
    if (plan.migration() instanceof MigrationDecision.Wait(var blocker, var on)) {
      waits.add(new Wait(blocker, on));
    }
    if (plan.prune() instanceof PruneDecision.Wait(var blocker, var on)) {
      waits.add(new Wait(blocker, on));
    }
    return waits;
  }

  /// The reason is a word to look for; the message names the object and the end.
  private static boolean tells(@Nullable Condition told, Wait wait) {
    return told != null
        && told.reason().equals(wait.blocker().reason())
        && !wait.on().isEmpty()
        && told.message().contains(wait.on())
        && !wait.blocker().ends().isEmpty()
        && told.message().endsWith(wait.blocker().ends());
  }

  private void keepsItsBegin(ObservedState seen, Condition told) {
    Condition before = find(seen.conditions());
    Instant expected =
        before != null && before.status() == told.status() && before.reason().equals(told.reason())
            ? before.since()
            : seen.at();
    if (!told.since().equals(expected)) {
      throw broken("forgot since when it waits");
    }
  }

  private void retriesAreTold(TurnPlan plan) {
    if (plan.preflight() instanceof PreflightDecision.Backoff backoff) {
      isSaid(plan, backoff.detail(), backoff.retryAt());
    }
    if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
      for (MigrationDecision.Step step : steps) {
        if (step instanceof MigrationDecision.RetryLater(_, var retryAt, var problem)) {
          isSaid(plan, problem, retryAt);
        }
      }
    }
  }

  private void isSaid(TurnPlan plan, String problem, Instant retryAt) {
    if (plan.conditions().stream()
        .noneMatch(one ->
            one.status() == Condition.Status.TRUE
                && one.message().contains(problem)
                && one.message().contains(retryAt.toString()))) {
      throw broken("does not say when it tries again: " + problem);
    }
  }

  private static @Nullable Condition find(List<Condition> conditions) {
    for (Condition condition : conditions) {
      if (condition.type().equals(WAITING)) {
        return condition;
      }
    }
    return null;
  }

  private Violation broken(String what) {
    return new Violation(8, server.name + ": " + what);
  }
}
