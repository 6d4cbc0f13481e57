package io.keyward.engine;

import io.keyward.core.act.Act;
import io.keyward.core.model.Condition;
import java.util.List;

/// A managed site whose conditions are set and on which every act succeeds.
abstract class WillingSnapshot implements SiteSnapshot {
  @Override
  public boolean isManaged() {
    return true;
  }

  @Override
  public boolean isReported(List<Condition> conditions) {
    return true;
  }

  @Override
  public Outcome apply(Act act) {
    return new Outcome.Done();
  }
}
