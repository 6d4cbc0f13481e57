package io.keyward.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class OverdueWatchTest {
  private static final Duration SHORT = Duration.ofMillis(30);
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void aCallThatComesLaterAndIsDueEarlierIsEndedInTime() throws InterruptedException {
    var ended = new CountDownLatch(1);
    try (var _ = OverdueWatch.over(TimeLimit.after(LONG), () -> {})) {
      Thread.sleep(50); // the watch sleeps now, for a minute
      try (var _ = OverdueWatch.over(TimeLimit.after(SHORT), ended::countDown)) {
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  void aCallThatHasEndedIsLeftAlone() throws InterruptedException {
    var first = new CountDownLatch(1);
    var second = new CountDownLatch(1);
    OverdueWatch.over(TimeLimit.after(SHORT), first::countDown).close();
    try (var _ = OverdueWatch.over(TimeLimit.after(SHORT.multipliedBy(2)), second::countDown)) {
      assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(first.getCount()).isOne();
  }
}
