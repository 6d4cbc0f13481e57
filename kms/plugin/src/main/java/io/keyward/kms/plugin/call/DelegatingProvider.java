package io.keyward.kms.plugin.call;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;

/// Passes every call on. Decorators change what they are about, and nothing else.
public abstract class DelegatingProvider implements KmsProvider {
  protected final KmsProvider provider;

  protected DelegatingProvider(KmsProvider provider) {
    this.provider = provider;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    return provider.wrap(dek, timeout);
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    return provider.unwrap(wrapped, timeout);
  }

  @Override
  public KekReport report(Duration timeout) {
    return provider.report(timeout);
  }

  @Override
  public boolean blocks() {
    return provider.blocks();
  }

  @Override
  public void close() {
    provider.close();
  }
}
