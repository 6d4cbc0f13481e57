package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/// Holds the one [KeyHealth] of a key, from which Status and Encrypt both answer.
///
/// Thread-safe and never waits. Says in the log when the health or the version changes.
public final class KeyWatch {
  private static final Logger LOG = System.getLogger(KeyWatch.class.getName());

  private final String key;
  private final InstantSource clock;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicReference<KeyHealth> health;

  public KeyWatch(String key, InstantSource clock) {
    this.key = key;
    this.clock = clock;
    this.health = new AtomicReference<>(KeyHealth.starting(clock.instant()));
  }

  public KeyHealth now() {
    return health.get();
  }

  /// The number of a call that starts now.
  public long begin() {
    return calls.incrementAndGet();
  }

  public void wrapped(long call, KekId id) {
    update(before -> before.wrapped(call, id, clock.instant()));
  }

  public void unwrapped(long call) {
    update(before -> before.unwrapped(call, clock.instant()));
  }

  public void failed(long call, KmsException failure) {
    update(before -> before.failed(call, failure.describe(), clock.instant()));
  }

  private void update(UnaryOperator<KeyHealth> event) {
    KeyHealth before = health.getAndUpdate(event);
    KeyHealth after = event.apply(before);
    if (!after.problem().equals(before.problem())) {
      after
          .problem()
          .ifPresentOrElse(
              problem -> LOG.log(Level.WARNING, "key {0} is not usable: {1}", key, problem),
              () -> LOG.log(Level.INFO, "key {0} is usable", key));
    }
    if (!after.kek().equals(before.kek())) {
      after.kek().ifPresent(id -> LOG.log(Level.INFO, "key {0} has key_id {1}", key, id.value()));
    }
  }
}
