package io.keyward.kms.pkcs11;

import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.ProviderException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Keeps the session. Opens it at first use, again when it was lost, and looks for new versions now
/// and then.
///
/// A call of a PKCS#11 module cannot be interrupted and holds its thread. So calls run on
/// [HsmThreads], and their callers stop waiting when their time is up.
final class HsmAccess implements AutoCloseable {
  private static final Logger LOG = System.getLogger(HsmAccess.class.getName());

  /// An unknown key_id makes the keys be read again, but not more often than this.
  private static final long SEARCH_NANOS = Duration.ofSeconds(1).toNanos();

  private final Pkcs11Settings settings;
  private final RefusedPins refused;
  private final HsmThreads threads = new HsmThreads();
  private @Nullable HsmSession session;

  HsmAccess(Pkcs11Settings settings, RefusedPins refused) {
    this.settings = settings;
    this.refused = refused;
  }

  /// @param wanted the version that the call is about, where it is about one
  <T> T call(Duration timeout, Optional<KekId> wanted, Pkcs11Provider.Use<T> use) {
    Future<T> result;
    try {
      result = threads.submit(() -> twice(wanted, use));
    } catch (RejectedExecutionException e) {
      throw new KmsException(Kind.THROTTLED, "too many calls wait for the HSM");
    }
    try {
      return Deadline.after(timeout).orCancel(result);
    } catch (CancellationException e) {
      throw new KmsException(Kind.TIMEOUT, "the HSM did not answer in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KmsException failure) {
        throw failure;
      }
      throw new KmsException(Kind.INTERNAL, "a call failed by a defect", e);
    }
  }

  /// In this thread, which must be one of [#threads].
  <T> T callHere(Optional<KekId> wanted, Pkcs11Provider.Use<T> use) {
    try {
      return twice(wanted, use);
    } catch (KmsException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new KmsException(Kind.INTERNAL, "a call failed by a defect", e);
    }
  }

  Executor threads() {
    return threads;
  }

  /// A session that was lost shows itself by failing. The second attempt has a new one.
  private <T> T twice(Optional<KekId> wanted, Pkcs11Provider.Use<T> use) {
    HsmSession first = session(wanted);
    try {
      return use.with(first);
    } catch (ProviderException e) {
      LOG.log(Level.WARNING, "the session at the token was lost; logging in again");
    }
    HsmSession second = reopened(first);
    try {
      return use.with(second);
    } catch (ProviderException e) {
      throw new KmsException(
          Kind.UNAVAILABLE, "the HSM fails", Map.of("cause", e.getClass().getSimpleName()));
    }
  }

  private synchronized HsmSession session(Optional<KekId> wanted) {
    HsmSession now = session;
    if (now == null) {
      now = HsmSession.open(settings, refused);
    } else if (now.ageNanos() > settings.reload().toNanos()
        || (now.ageNanos() > SEARCH_NANOS && wanted.filter(id -> isUnknown(id)).isPresent())) {
      try {
        now = now.refreshed(settings);
      } catch (KmsException | ProviderException e) {
        now.close();
        session = null;
        now = HsmSession.open(settings, refused);
      }
    }
    session = now;
    return now;
  }

  private boolean isUnknown(KekId id) {
    HsmSession now = session;
    return now != null && now.key(id).isEmpty();
  }

  /// Callers that lost one session together share one login.
  private synchronized HsmSession reopened(HsmSession lost) {
    HsmSession now = session;
    if (now == null || now == lost) {
      lost.close();
      session = null;
      now = HsmSession.open(settings, refused);
      session = now;
    }
    return now;
  }

  synchronized void refresh() {
    HsmSession now = session;
    session = now == null ? HsmSession.open(settings, refused) : now.refreshed(settings);
  }

  @Override
  public synchronized void close() {
    threads.close();
    HsmSession now = session;
    if (now != null) {
      now.close();
    }
  }
}
