package io.keyward.kms.aws;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Back-off after throttling. Calls wait for their turn as long as their time allows; those that
/// cannot are refused here, without a call that AWS would count.
final class ThrottleBackoff {
  private static final long FIRST = Duration.ofMillis(50).toNanos();
  private static final long LONGEST = Duration.ofSeconds(2).toNanos();

  private final LongSupplier clock;
  private long pause;
  private long notBefore;

  ThrottleBackoff(LongSupplier clock) {
    this.clock = clock;
    this.notBefore = clock.getAsLong();
  }

  /// How long a call must wait from now on.
  synchronized Duration delay() {
    return Duration.ofNanos(Math.max(0, notBefore - clock.getAsLong()));
  }

  synchronized void throttled() {
    long now = clock.getAsLong();
    if (now - notBefore < 0) {
      return; // calls that were under way together count as one
    }
    pause = Math.min(LONGEST, pause == 0 ? FIRST : pause * 2);
    notBefore = now + pause;
  }

  synchronized void worked() {
    pause = 0;
  }

  void awaitTurn(Duration timeout) {
    Duration delay = delay();
    if (delay.isZero()) {
      return;
    }
    if (delay.compareTo(timeout) >= 0) {
      throw new KmsException(Kind.THROTTLED, "AWS KMS wanted fewer calls a moment ago");
    }
    try {
      Thread.sleep(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    }
  }
}
