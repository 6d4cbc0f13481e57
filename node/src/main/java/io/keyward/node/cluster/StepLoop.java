package io.keyward.node.cluster;

import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Makes one step after the other. One that fails is tried again: the next begins from what is
/// there.
public final class StepLoop {
  private static final Logger LOG = System.getLogger(StepLoop.class.getName());
  private static final Duration PAUSE = Duration.ofMillis(500);

  /// What an agent does again and again.
  public interface Step {
    void run() throws InterruptedException;
  }

  private StepLoop() {}

  /// Until interrupted.
  public static void run(Step step) throws InterruptedException {
    String refused = "";
    while (true) {
      try {
        step.run();
      } catch (ClusterFailure e) {
        // A refusal does not pass by itself, so it is said, once. Silence does.
        boolean isNews = e.status() > 0 && !refused.equals(e.getMessage());
        LOG.log(isNews ? Level.WARNING : Level.DEBUG, "later: " + e.getMessage());
        refused = e.status() > 0 ? String.valueOf(e.getMessage()) : refused;
      } catch (Conflict e) {
        LOG.log(Level.DEBUG, "later: " + e.getMessage());
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "this step failed and is tried again", e);
      }
      Thread.sleep(PAUSE);
    }
  }
}
