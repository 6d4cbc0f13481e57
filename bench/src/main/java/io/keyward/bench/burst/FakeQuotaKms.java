package io.keyward.bench.burst;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms;
import io.keyward.kms.tck.FakeKms.Mood;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/// A fake KMS as clouds have them: each call takes its time, and more than so many in a second are
/// refused.
final class FakeQuotaKms implements KmsProvider {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final FakeKms kms;
  private final int quota;
  private final Deque<Long> lastSecond = new ArrayDeque<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private int peak;

  FakeQuotaKms(Duration delay, int quota) {
    this.kms = new FakeKms("burst", () -> Mood.slow(delay));
    this.quota = quota;
  }

  /// What was stored before the burst, at no cost to the quota.
  Wrapped store(Secret seed) {
    return kms.wrap(seed, Duration.ofMinutes(1));
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    count();
    return kms.wrap(dek, timeout);
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    count();
    return kms.unwrap(wrapped, timeout);
  }

  private synchronized void count() {
    calls.incrementAndGet();
    long now = System.nanoTime();
    while (!lastSecond.isEmpty() && now - lastSecond.peek() >= SECOND) {
      lastSecond.remove();
    }
    lastSecond.add(now);
    peak = Math.max(peak, lastSecond.size());
    if (lastSecond.size() > quota) {
      refused.incrementAndGet();
      throw new KmsException(Kind.THROTTLED, "over the quota");
    }
  }

  int calls() {
    return calls.get();
  }

  /// The most calls in any second.
  synchronized int peak() {
    return peak;
  }

  synchronized String words() {
    return "%,10d %,12d %,9d".formatted(calls.get(), peak, refused.get());
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public void close() {}
}
