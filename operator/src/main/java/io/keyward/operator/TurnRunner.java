package io.keyward.operator;

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
/// the next turn and holds up no other part.
final class TurnRunner {
  private static final Logger LOG = System.getLogger(TurnRunner.class.getName());

  /// Whoever loses this many races in a row is not in a race.
  private static final int TOO_OFTEN = 20;

  private static final List<String> WITHOUT_CONDITION =
      List.of(Feature.ROLLOUT.word(), Feature.HEALTH.word(), Feature.CONDITIONS.word());

  private final Site site;
  private final Map<String, Integer> crossed = new HashMap<>();
  private Map<String, String> failures = Map.of();

  TurnRunner(Site site) {
    this.site = site;
  }

  /// What was planned, and whether something was written, so that the next look is worth taking.
  record Done(TurnPlan plan, boolean changed, ObservedState seen, Map<String, String> failed) {
    /// What failed and has no condition of its own.
    Optional<String> unsaid() {
      return WITHOUT_CONDITION.stream()
          .filter(failed::containsKey)
          .map(feature -> feature + ": " + failed.get(feature))
          .reduce((one, other) -> one + "; " + other);
    }
  }

  Done turn() {
    SiteSnapshot snapshot = site.observe();
    TurnPlan plan = Turn.plan(snapshot.state(), failures);
    var failed = new TreeMap<String, String>();
    boolean changed = false;
    List<Step> steps = snapshot.isManaged() ? Acts.of(snapshot.state(), plan) : Acts.unmanaged();
    for (Step step : steps) {
      changed |= carryOut(step, snapshot, failed);
    }
    if (snapshot.isManaged() && plan.rollout() instanceof RolloutDecision.Refuse(var problem)) {
      failed.put(Feature.ROLLOUT.word(), problem);
    }
    failures = Map.copyOf(failed);
    return new Done(plan, changed, snapshot.state(), failures);
  }

  /// Whether another look is worth taking.
  private boolean carryOut(Step step, SiteSnapshot snapshot, Map<String, String> failed) {
    String feature = step.feature().word();
    try {
      step.acts().forEach(snapshot::apply);
      crossed.remove(feature);
      return step.changesSomething();
    } catch (Conflict e) {
      LOG.log(Level.DEBUG, site.component() + ": " + e.getMessage());
      if (crossed.merge(feature, 1, Integer::sum) < TOO_OFTEN) {
        return true;
      }
      failed.put(
          feature,
          e.getMessage()
              + ", again and again: either another operator works on the same cluster, or an"
              + " object that is not ours has our name");
    } catch (RuntimeException e) {
      // Whoever is told to stop has not failed.
      Level level = Thread.currentThread().isInterrupted() ? Level.DEBUG : Level.WARNING;
      LOG.log(level, site.component() + ": " + feature + " failed", e);
      failed.put(feature, String.valueOf(e.getMessage()));
    }
    return false;
  }
}
