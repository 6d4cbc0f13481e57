package io.keyward.kms.plugin.call;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.function.Supplier;

/// Drops what was remembered as soon as the KMS denies the key: who takes a key away must not wait
/// for memories to end.
public final class ForgettingProvider extends DelegatingProvider {
  private final Runnable forget;

  public ForgettingProvider(KmsProvider provider, Runnable forget) {
    super(provider);
    this.forget = forget;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    return call(() -> provider.wrap(dek, timeout));
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    return call(() -> provider.unwrap(wrapped, timeout));
  }

  private <T> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (KmsException e) {
      if (e.kind() == Kind.DENIED) {
        forget.run();
      }
      throw e;
    }
  }
}
