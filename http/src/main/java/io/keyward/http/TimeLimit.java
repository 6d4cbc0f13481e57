package io.keyward.http;

import java.time.Duration;

/// The moment when something must have ended.
///
/// @param end in the measure of `System.nanoTime()`
public record TimeLimit(long end) {
  public static TimeLimit after(Duration time) {
    return new TimeLimit(System.nanoTime() + time.toNanos());
  }

  /// Never nothing, so that whoever waits for it gets to try.
  public Duration left() {
    return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
  }

  public boolean passed() {
    return end - System.nanoTime() <= 0;
  }
}
