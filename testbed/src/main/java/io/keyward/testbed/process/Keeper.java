package io.keyward.testbed.process;

import java.time.Duration;

/// Keeps a process running, as a service manager does: where it ends, it is started again.
public final class Keeper implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(200);

  private final ServerProcess process;
  private final Loop loop;

  private Keeper(ServerProcess process) {
    this.process = process;
    this.loop = Loop.start("keeper of " + process.name(), LOOK, this::revive);
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

  private void revive() {
    if (!process.isRunning()) {
      process.start();
    }
  }

  /// Kills it for good.
  @Override
  public void close() {
    loop.close();
    process.kill();
  }
}
