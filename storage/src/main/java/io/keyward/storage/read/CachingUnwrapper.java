package io.keyward.storage.read;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/// Asks the KMS once for each distinct wrapped DEK, also when the answer is no.
public final class CachingUnwrapper implements Unwrapper {
  private final Unwrapper kms;
  private final ConcurrentMap<WrappedDek, Unwrapped> answers = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Optional<String>> keyIds = new ConcurrentHashMap<>();
  private final LongAdder calls = new LongAdder();

  public CachingUnwrapper(Unwrapper kms) {
    this.kms = kms;
  }

  @Override
  public Unwrapped unwrap(WrappedDek wrapped) {
    return answers.computeIfAbsent(wrapped, this::ask);
  }

  @Override
  public Optional<String> currentKeyId(String provider) {
    return keyIds.computeIfAbsent(provider, kms::currentKeyId);
  }

  /// How often the KMS was asked to unwrap.
  public long calls() {
    return calls.sum();
  }

  private Unwrapped ask(WrappedDek wrapped) {
    calls.increment();
    return kms.unwrap(wrapped);
  }
}
