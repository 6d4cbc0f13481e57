package io.keyward.kms.plugin.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ProberTest {
  @Test
  void asksAKmsThatWasAwayAgainLongBeforeTheInterval() throws InterruptedException {
    var tries = new AtomicInteger();
    var second = new CountDownLatch(1);
    Prober.Probe probe =
        timeout -> {
          if (tries.incrementAndGet() == 1) {
            throw new KmsException(Kind.UNAVAILABLE, "not yet");
          }
          second.countDown();
        };
    try (var prober = new Prober("payments", probe, Duration.ofHours(1), Duration.ofSeconds(1))) {
      prober.start();
      assertThat(second.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void doesNotHurryAKmsThatRefused() throws InterruptedException {
    var second = new CountDownLatch(2);
    Prober.Probe probe =
        timeout -> {
          second.countDown();
          throw new KmsException(Kind.DENIED, "wrong PIN");
        };
    try (var prober = new Prober("payments", probe, Duration.ofHours(1), Duration.ofSeconds(1))) {
      prober.start();
      assertThat(second.await(3, TimeUnit.SECONDS)).isFalse();
    }
  }
}
