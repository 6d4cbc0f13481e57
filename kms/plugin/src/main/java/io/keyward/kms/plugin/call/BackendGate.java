package io.keyward.kms.plugin.call;

import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Lets calls through to a KMS at a bounded rate, and a bounded number at one time. Who came first
/// goes first; only probes go before the others, so that a burst does not make a good key look bad.
///
/// Who could not have a turn within the time it has is told so at once: to wait in vain would only
/// make the line longer.
public final class BackendGate {
  /// How much of a second's calls may go at once after a quiet time.
  private static final int BURST_PART = 10;

  private final long interval;
  private final long tolerance;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Condition> probes = new ArrayDeque<>();
  private final Deque<Condition> requests = new ArrayDeque<>();
  private long next = System.nanoTime();
  private int running;

  public BackendGate(BackendLimit limit) {
    interval = limit.rate() == 0 ? 0 : Duration.ofSeconds(1).toNanos() / limit.rate();
    tolerance = interval * (limit.rate() / BURST_PART);
    most = limit.calls() == 0 ? Integer.MAX_VALUE : limit.calls();
  }

  /// Waits for a turn. Each one must be ended by [#leave].
  ///
  /// @throws KmsException of kind `THROTTLED` if there is none in time
  void enter(boolean probe, Duration timeout) {
    long end = System.nanoTime() + timeout.toNanos();
    Deque<Condition> line = probe ? probes : requests;
    lock.lock();
    try {
      if (!probe && System.nanoTime() + waitBehind(line.size()) > end) {
        throw refused();
      }
      Condition turn = lock.newCondition();
      line.add(turn);
      try {
        awaitTurn(turn, end);
      } finally {
        line.remove(turn);
        wakeFirst();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    } finally {
      lock.unlock();
    }
  }

  private void awaitTurn(Condition turn, long end) throws InterruptedException {
    while (true) {
      long now = System.nanoTime();
      boolean first = first().equals(Optional.of(turn)) && running < most;
      long opens = next - tolerance;
      if (first && opens - now <= 0) {
        running++;
        next = Math.max(next, now) + interval;
        return;
      }
      if (end - now <= 0) {
        throw refused();
      }
      var _ = turn.awaitNanos(first ? Math.min(opens, end) - now : end - now);
    }
  }

  /// The shortest time until it is the turn of one who finds `ahead` others in its line.
  private long waitBehind(int ahead) {
    return Math.max(0, next - tolerance - System.nanoTime()) + interval * ahead;
  }

  void leave() {
    lock.lock();
    try {
      running--;
      wakeFirst();
    } finally {
      lock.unlock();
    }
  }

  private void wakeFirst() {
    first().ifPresent(Condition::signal);
  }

  private Optional<Condition> first() {
    return Optional.ofNullable(probes.isEmpty() ? requests.peek() : probes.peek());
  }

  private static KmsException refused() {
    return new KmsException(
        Kind.THROTTLED, "the limit of calls to the KMS leaves no turn for this one in time");
  }
}
