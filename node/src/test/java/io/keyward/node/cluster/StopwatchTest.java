package io.keyward.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

public final class StopwatchTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /// The clock of a process may begin near the end of its numbers.
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1);

  private final Stopwatch watch = new Stopwatch(clock::get);

  @Test
  void isPastAfterItsTimeAndNotBefore() {
    watch.start();
    clock.addAndGet(PATIENCE.toNanos() - 1);
    assertThat(watch.isPast(PATIENCE)).isFalse();
    clock.incrementAndGet();
    assertThat(watch.isPast(PATIENCE)).isTrue();
    watch.start();
    assertThat(watch.isPast(PATIENCE)).isFalse();
  }

  @Test
  void isNeverPastWhileItDoesNotRun() {
    clock.addAndGet(PATIENCE.toNanos());
    assertThat(watch.isPast(PATIENCE)).isFalse();
    watch.start();
    clock.addAndGet(PATIENCE.toNanos());
    watch.stop();
    assertThat(watch.isPast(PATIENCE)).isFalse();
    assertThat(watch.runs()).isFalse();
  }
}
