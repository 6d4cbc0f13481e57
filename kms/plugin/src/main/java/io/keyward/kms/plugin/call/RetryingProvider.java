package io.keyward.kms.plugin.call;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/// Tries again what may succeed the next time, and only inside the time the caller gave.
public final class RetryingProvider extends DelegatingProvider {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(400);

  public RetryingProvider(KmsProvider provider) {
    super(provider);
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    return retry(timeout, left -> provider.wrap(dek, left));
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    return retry(timeout, left -> provider.unwrap(wrapped, left));
  }

  private static <T> T retry(Duration timeout, Function<Duration, T> call) {
    long end = System.nanoTime() + timeout.toNanos();
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        return call.apply(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      } catch (KmsException e) {
        // Half of it at random, so that many API servers do not come back in step.
        long wait = pause.toNanos() / 2 + ThreadLocalRandom.current().nextLong(pause.toNanos() / 2);
        if (!e.kind().retryable() || System.nanoTime() + wait >= end) {
          throw e;
        }
        sleep(Duration.ofNanos(wait));
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? pause.multipliedBy(2)
                : LONGEST_PAUSE;
      }
    }
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    }
  }
}
