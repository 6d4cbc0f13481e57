package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Optional;
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
  private final AtomicReference<KekFacts> facts = new AtomicReference<>(KekFacts.NONE);

  public KeyWatch(String key, InstantSource clock) {
    this.key = key;
    this.clock = clock;
    this.health = new AtomicReference<>(KeyHealth.starting(clock.instant()));
  }

  public KeyHealth now() {
    return health.get();
  }

  /// What the KMS last said about the key.
  public KekFacts facts() {
    return facts.get();
  }

  /// Why the key cannot be used, with what the KMS says about it; empty while it can.
  public Optional<String> problem() {
    return now()
        .problem()
        .map(problem -> facts().objection().map(words -> problem + "; " + words).orElse(problem));
  }

  void reported(KekReport report) {
    learn(KekFacts.of(report, clock.instant()));
  }

  void unreported(KmsException failure) {
    learn(KekFacts.failed(failure, clock.instant()));
  }

  /// Each warning is one line when it comes and one when it goes, however often it is repeated.
  private void learn(KekFacts after) {
    KekFacts before = facts.getAndSet(after);
    for (String warning : after.warnings()) {
      if (!before.warnings().contains(warning)) {
        LOG.log(Level.WARNING, "key {0}: {1}", key, warning);
      }
    }
    for (String warning : before.warnings()) {
      if (!after.warnings().contains(warning)) {
        LOG.log(Level.INFO, "key {0}: no longer true: {1}", key, warning);
      }
    }
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
