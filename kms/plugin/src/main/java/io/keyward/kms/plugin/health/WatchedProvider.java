package io.keyward.kms.plugin.health;

import io.keyward.kms.plugin.call.DelegatingProvider;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;

/// Lets every call, a request's or a probe's, tell the watch how it went.
public final class WatchedProvider extends DelegatingProvider {
  private final KeyWatch watch;

  public WatchedProvider(KmsProvider provider, KeyWatch watch) {
    super(provider);
    this.watch = watch;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    long end = System.nanoTime() + timeout.toNanos();
    long call = watch.begin();
    Wrapped wrapped = wrap(call, dek, timeout);
    if (watch.now().isSuperseded(wrapped.kek()) && watch.now().newestCall() > call) {
      // The KMS rotated its key during the call, and a later call has already shown the new
      // version. Only a call that starts now tells whether the KMS lags behind.
      wrapped = wrap(watch.begin(), dek, Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
    if (watch.now().isSuperseded(wrapped.kek())) {
      // A replica that lags behind. Another try may reach one that does not.
      throw new KmsException(Kind.UNAVAILABLE, "the KMS wraps with an older key version again");
    }
    return wrapped;
  }

  private Wrapped wrap(long call, Secret dek, Duration timeout) {
    Wrapped wrapped;
    try {
      wrapped = provider.wrap(dek, timeout);
    } catch (KmsException e) {
      // Throttled: see below. It would otherwise be a burst that makes a good key look bad.
      if (e.kind() != Kind.THROTTLED) {
        watch.failed(call, e);
      }
      throw e;
    }
    watch.wrapped(call, wrapped.kek());
    return wrapped;
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    long call = watch.begin();
    try {
      Secret dek = provider.unwrap(wrapped, timeout);
      watch.unwrapped(call);
      return dek;
    } catch (KmsException e) {
      if (isAboutTheKms(e.kind())) {
        watch.failed(call, e);
      }
      throw e;
    }
  }

  /// Whether a failed unwrap says something about the KMS, or only about what was to be opened.
  private static boolean isAboutTheKms(Kind kind) {
    return switch (kind) {
      case UNAVAILABLE, TIMEOUT, DENIED, INTERNAL -> true;
      // Throttled: it answers, only not to everybody at once. The probe tells if it lasts.
      case THROTTLED, UNKNOWN_KEK, CORRUPT -> false;
    };
  }
}
