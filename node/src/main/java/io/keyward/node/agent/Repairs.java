package io.keyward.node.agent;

import io.keyward.node.host.Host;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Looks after the files of a node, whether or not an API server responds.
record Repairs(Host host) implements Runnable {
  private static final Logger LOG = System.getLogger(Repairs.class.getName());

  /// The kubelet itself notices a changed manifest within a second.
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  @Override
  public void run() {
    String reported = "";
    while (!Thread.currentThread().isInterrupted()) {
      try {
        host.repair().ifPresent(done -> LOG.log(Level.WARNING, done));
        reported = "";
      } catch (RuntimeException e) {
        String problem = FailureWords.of(e);
        if (!problem.equals(reported)) {
          LOG.log(Level.WARNING, problem);
        }
        reported = problem;
      }
      try {
        Thread.sleep(INTERVAL);
      } catch (InterruptedException _) {
        return;
      }
    }
  }
}
