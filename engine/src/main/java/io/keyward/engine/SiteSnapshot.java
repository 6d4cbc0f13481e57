package io.keyward.engine;

import io.keyward.core.act.Act;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import java.util.List;

/// One consistent view of one API server, to which the acts that follow from it are applied.
public interface SiteSnapshot {
  ObservedState state();

  /// False where an administrator told the operator to keep its hands off.
  boolean isManaged();

  /// Whether reporting these conditions would write nothing.
  boolean isReported(List<Condition> conditions);

  /// Carries an act out. An object that was modified since it was observed is a conflict.
  Outcome apply(Act act);
}
