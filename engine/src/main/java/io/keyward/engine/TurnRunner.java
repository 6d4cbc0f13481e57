package io.keyward.engine;

import io.keyward.core.act.Act;
import io.keyward.core.act.Acts;
import io.keyward.core.act.Feature;
import io.keyward.core.act.Step;
import io.keyward.core.model.ObservedState;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Carries one plan out, in the order of the plan. A part that fails is named in the conditions of
/// the next turn and blocks no other part.
final class TurnRunner {
  private static final Logger LOG = System.getLogger(TurnRunner.class.getName());

  /// This many conflicts in a row are no race.
  private static final int TOO_OFTEN = 20;

  private static final List<String> WITHOUT_CONDITION =
      List.of(Feature.ROLLOUT.word(), Feature.HEALTH.word(), Feature.CONDITIONS.word());

  private final Site site;
  private final Map<String, Integer> conflicts = new HashMap<>();
  private Map<String, String> failures = Map.of();

  TurnRunner(Site site) {
    this.site = site;
  }

  /// What was planned.
  ///
  /// @param changed whether something was written, so that the next look is worth taking
  /// @param live whether the plan follows from a live look
  record Done(
      TurnPlan plan,
      boolean changed,
      boolean live,
      ObservedState seen,
      Map<String, String> failed) {
    /// What failed and has no condition of its own.
    Optional<String> unsaid() {
      return WITHOUT_CONDITION.stream()
          .filter(failed::containsKey)
          .map(feature -> feature + ": " + failed.get(feature))
          .reduce((one, other) -> one + "; " + other);
    }

    boolean atRest() {
      return plan.isAtRest();
    }
  }

  /// Takes a turn.
  ///
  /// @param mayGlance whether a look through caches is enough where nothing follows from it
  Done turn(boolean mayGlance) {
    return (mayGlance && failures.isEmpty() ? site.glance() : Optional.<SiteSnapshot>empty())
        .flatMap(this::nothingToDo)
        .orElseGet(this::act);
  }

  /// Empty where something follows from the look; whether it really does, a live look shows.
  private Optional<Done> nothingToDo(SiteSnapshot glance) {
    ObservedState seen = glance.state();
    TurnPlan plan = Turn.plan(seen, failures);
    boolean quiet =
        Acts.areQuiet(seen, steps(glance, plan))
            && (!glance.isManaged() || glance.isReported(plan.conditions()));
    return quiet
        ? Optional.of(new Done(plan, false, false, seen, refusal(glance, plan)))
        : Optional.empty();
  }

  private Done act() {
    SiteSnapshot snapshot = site.observe();
    TurnPlan plan = Turn.plan(snapshot.state(), failures);
    var failed = new TreeMap<String, String>();
    boolean changed = false;
    for (Step step : steps(snapshot, plan)) {
      changed |= carryOut(step, snapshot, failed);
    }
    failures = Map.copyOf(failed);
    failed.putAll(refusal(snapshot, plan));
    return new Done(plan, changed, true, snapshot.state(), Map.copyOf(failed));
  }

  private static List<Step> steps(SiteSnapshot snapshot, TurnPlan plan) {
    return snapshot.isManaged() ? Acts.of(snapshot.state(), plan) : Acts.unmanaged();
  }

  /// A rollout that an administrator has to clear has no act that could fail.
  private static Map<String, String> refusal(SiteSnapshot snapshot, TurnPlan plan) {
    return snapshot.isManaged() && plan.rollout() instanceof RolloutDecision.Refuse(var problem)
        ? Map.of(Feature.ROLLOUT.word(), problem)
        : Map.of();
  }

  /// Whether another look is worth taking.
  private boolean carryOut(Step step, SiteSnapshot snapshot, Map<String, String> failed) {
    String feature = step.feature().word();
    for (Act act : step.acts()) {
      switch (apply(act, snapshot)) {
        case Outcome.Done _ -> {}
        case Outcome.Conflict(var object) -> {
          LOG.log(Level.DEBUG, site.id() + ": conflict: " + object);
          return conflict(feature, object, failed);
        }
        case Outcome.Failed(var problem) -> {
          // A turn that is told to stop has not failed.
          Level level = Thread.currentThread().isInterrupted() ? Level.DEBUG : Level.WARNING;
          LOG.log(level, site.id() + ": " + feature + " failed: " + problem);
          failed.put(feature, problem);
          return false;
        }
      }
    }
    conflicts.remove(feature);
    return step.changesSomething();
  }

  private boolean conflict(String feature, String object, Map<String, String> failed) {
    if (conflicts.merge(feature, 1, Integer::sum) < TOO_OFTEN) {
      return true;
    }
    failed.put(
        feature,
        object
            + " was modified concurrently "
            + TOO_OFTEN
            + " times in a row: either another operator works on the same cluster, or an object"
            + " that was not created by Keyward has this name");
    return false;
  }

  /// Adapters turn the failures they know into outcomes. Anything else is a defect.
  private Outcome apply(Act act, SiteSnapshot snapshot) {
    try {
      return snapshot.apply(act);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, site.id() + ": a defect in " + act.getClass().getSimpleName(), e);
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }
}
