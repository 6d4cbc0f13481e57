package io.keyward.testbed.binary;

import java.util.function.Supplier;

/// Tells how far a long step is, from the moment it is made until it is closed.
final class Ticker implements AutoCloseable {
  private final Thread thread;

  Ticker(Talk talk, Supplier<String> line) {
    thread = Thread.ofVirtual().start(() -> tick(talk, line));
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void tick(Talk talk, Supplier<String> line) {
    try {
      while (true) {
        Thread.sleep(talk.interval());
        talk.sayMeanwhile(line.get());
      }
    } catch (InterruptedException _) {
      // Closed: the step is over.
    }
  }
}
