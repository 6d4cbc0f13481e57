package io.keyward.node;

import io.keyward.kube.ClusterFailure;
import io.keyward.operator.ChangedMeanwhile;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Makes one step after the other. One that fails is tried again: the next begins from what is
/// there.
final class Steps {
  private static final Logger LOG = System.getLogger(Steps.class.getName());
  private static final Duration PAUSE = Duration.ofMillis(500);

  /// What an agent does again and again.
  interface Step {
    void run() throws InterruptedException;
  }

  private Steps() {}

  /// Until interrupted.
  static void run(Step step) throws InterruptedException {
    while (true) {
      try {
        step.run();
      } catch (ClusterFailure | ChangedMeanwhile e) {
        LOG.log(Level.DEBUG, "later: " + e.getMessage());
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "this step failed and is tried again", e);
      }
      Thread.sleep(PAUSE);
    }
  }
}
