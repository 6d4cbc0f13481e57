package io.keyward.testbed.process;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Does the same again and again until it is closed. What fails is done again after the pause.
public final class Loop implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Loop.class.getName());

  private final String name;
  private final Duration pause;
  private final Step step;
  private final Thread thread;
  private volatile boolean closed;

  /// One round.
  public interface Step {
    void run() throws IOException;
  }

  private Loop(String name, Duration pause, Step step) {
    this.name = name;
    this.pause = pause;
    this.step = step;
    this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  /// Begins at once.
  public static Loop start(String name, Duration pause, Step step) {
    return new Loop(name, pause, step);
  }

  private void run() {
    while (!closed) {
      try {
        step.run();
      } catch (TestbedException | IOException e) {
        // The close itself cuts the last round short; that is no news.
        if (!closed) {
          LOG.log(Level.WARNING, name + ": " + e.getMessage());
        }
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  /// Waits a little for the round that is under way.
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
