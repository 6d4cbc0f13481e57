package io.keyward.kms.plugin.call;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.function.Function;

/// Sends every call through a gate. Stands next to the KMS, so that tries again count too.
public final class LimitedProvider extends DelegatingProvider {
  private final BackendGate gate;
  private final boolean probe;

  /// Calls `provider` only in the turns that `gate` gives.
  ///
  /// @param probe whether the calls are probes, which do not wait behind requests
  public LimitedProvider(KmsProvider provider, BackendGate gate, boolean probe) {
    super(provider);
    this.gate = gate;
    this.probe = probe;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    return inTurn(timeout, left -> provider.wrap(dek, left));
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    return inTurn(timeout, left -> provider.unwrap(wrapped, left));
  }

  private <T> T inTurn(Duration timeout, Function<Duration, T> call) {
    long end = System.nanoTime() + timeout.toNanos();
    gate.enter(probe, timeout);
    try {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new KmsException(Kind.TIMEOUT, "the time for the call was spent before its turn");
      }
      return call.apply(Duration.ofNanos(left));
    } finally {
      gate.leave();
    }
  }
}
