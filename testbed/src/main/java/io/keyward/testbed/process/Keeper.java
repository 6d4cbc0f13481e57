package io.keyward.testbed.process;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Keeps a process running, as a service manager does: where it ends, it is started again.
public final class Keeper implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Keeper.class.getName());
  private static final Duration LOOK = Duration.ofMillis(200);

  private final ServerProcess process;
  private final Thread loop;
  private volatile boolean closed;

  private Keeper(ServerProcess process) {
    this.process = process;
    this.loop = Thread.ofPlatform().daemon().name("keeper of " + process.name()).start(this::run);
  }

  public static Keeper start(Launch launch) {
    return new Keeper(ServerProcess.start(launch));
  }

  /// From now on also one that runs already.
  public static Keeper of(ServerProcess process) {
    return new Keeper(process);
  }

  public ServerProcess process() {
    return process;
  }

  private void run() {
    while (!closed) {
      try {
        Thread.sleep(LOOK);
        if (!closed && !process.isRunning()) {
          process.start();
        }
      } catch (InterruptedException _) {
        return;
      } catch (TestbedException e) {
        // Tried again with the next look; more is in the log of the process.
        LOG.log(Level.WARNING, e.getMessage());
      }
    }
  }

  /// Kills it for good.
  @Override
  public void close() {
    closed = true;
    loop.interrupt();
    try {
      loop.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.kill();
  }
}
