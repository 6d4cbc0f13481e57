package io.keyward.kms.plugin.call;

import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/// Remembers what was opened, so that the same wrapped DEK reaches the KMS once in a while and not
/// once for each API server that starts. Off unless an admin asks for it: see SECURITY.md.
public final class CachingProvider extends DelegatingProvider implements CachedDecrypt {
  private final SecretMemory memory;
  private final LongAdder hits = new LongAdder();

  public CachingProvider(KmsProvider provider, SecretMemory memory) {
    super(provider);
    this.memory = memory;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    // Not remembered here: only what the KMS itself has opened is known to be right.
    return provider.wrap(dek, timeout);
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    Bytes name = WrappedDigest.of(wrapped);
    Optional<Secret> known = find(name);
    if (known.isPresent()) {
      return known.get();
    }
    Secret dek = provider.unwrap(wrapped, timeout);
    memory.keep(name, dek);
    return dek;
  }

  @Override
  public Optional<Secret> recall(Wrapped wrapped) {
    return find(WrappedDigest.of(wrapped));
  }

  private Optional<Secret> find(Bytes name) {
    Optional<Secret> known = memory.find(name);
    if (known.isPresent()) {
      hits.increment();
    }
    return known;
  }

  /// How many calls were answered from memory.
  public long hits() {
    return hits.sum();
  }

  @Override
  public void close() {
    memory.clear();
    provider.close();
  }
}
