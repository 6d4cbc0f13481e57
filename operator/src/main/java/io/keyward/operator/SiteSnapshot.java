package io.keyward.operator;

import io.keyward.core.act.Act;
import io.keyward.core.model.ObservedState;

/// One consistent view of one API server, to which the acts that follow from it are applied.
public interface SiteSnapshot {
  ObservedState state();

  /// False where an administrator told the operator to keep its hands off.
  boolean isManaged();

  /// Carries an act out.
  ///
  /// @throws Conflict if an object was modified since it was observed; the next turn decides again
  void apply(Act act);
}
