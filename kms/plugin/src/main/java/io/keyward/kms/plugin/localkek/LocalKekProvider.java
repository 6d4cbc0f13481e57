package io.keyward.kms.plugin.localkek;

import io.keyward.kms.plugin.call.DelegatingProvider;
import io.keyward.kms.plugin.config.KeyOptions.LocalKekLimits;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.localkek.LocalKekRule.Decision;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Wraps DEKs with a local KEK, which the KMS wraps once. Opening is [LocalKekOpener]'s work.
///
/// The key id is the one under which the KMS wrapped the local KEK. So it changes with a rotation
/// in the KMS, and not before a local KEK is really wrapped by the new version.
public final class LocalKekProvider extends DelegatingProvider {
  /// The local KEK in use. Guarded by `this`.
  private static final class Current {
    private final Secret kek;
    private final Wrapped remote;
    private final Instant born;
    private long uses;

    Current(Secret kek, Wrapped remote, Instant born) {
      this.kek = kek;
      this.remote = remote;
      this.born = born;
    }
  }

  private final KmsProvider kms;
  private final LocalKekOpener opener;
  private final KeyWatch watch;
  private final LocalKekLimits limits;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final ReentrantLock renewing = new ReentrantLock();
  private Optional<Current> current = Optional.empty();

  /// Makes no local KEK yet: the first probe or the first wrap does.
  ///
  /// @param kms wraps local KEKs; unwatched, since a version that it wraps with counts only once
  ///   the local KEK is in use
  /// @param opener opens what is under this local KEK and others
  public LocalKekProvider(
      KmsProvider kms,
      LocalKekOpener opener,
      KeyWatch watch,
      LocalKekLimits limits,
      InstantSource clock) {
    super(opener);
    this.kms = kms;
    this.opener = opener;
    this.watch = watch;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    Optional<Current> use = take();
    if (use.isEmpty()) {
      renewFirst(timeout);
      use = take();
    }
    Current kek =
        use.orElseThrow(
            () -> new KmsException(Kind.UNAVAILABLE, "there is no local KEK that may be used"));
    return LocalSeal.seal(kek.kek, kek.remote, dek, random);
  }

  /// The local KEK, with one use counted; empty if there is none that may be used.
  private synchronized Optional<Current> take() {
    Optional<Current> usable = current.filter(kek -> decide(kek) != Decision.STOP);
    usable.ifPresent(kek -> kek.uses++);
    return usable;
  }

  private Decision decide(Current kek) {
    return LocalKekRule.decide(limits, Duration.between(kek.born, clock.instant()), kek.uses);
  }

  /// Only one of many callers makes the first local KEK; the others wait for it.
  private void renewFirst(Duration timeout) {
    long end = System.nanoTime() + timeout.toNanos();
    try {
      if (!renewing.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new KmsException(Kind.TIMEOUT, "the KMS did not wrap a local KEK in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    }
    try {
      if (!isUsable()) {
        renew(kms, Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } finally {
      renewing.unlock();
    }
  }

  private synchronized boolean isUsable() {
    return current.filter(kek -> decide(kek) != Decision.STOP).isPresent();
  }

  /// Lets the KMS wrap a fresh local KEK and open it again, which is also the probe of the KMS, and
  /// uses it if the present one is due or lies under an older version. `through` is the way to the
  /// KMS: a probe's own goes before requests.
  public void renew(KmsProvider through, Duration timeout) {
    long call = watch.begin();
    try {
      var bytes = new byte[LocalSeal.KEK_BYTES];
      random.nextBytes(bytes);
      var kek = new Secret(bytes);
      Wrapped remote = through.wrap(kek, timeout);
      if (!through.unwrap(remote, timeout).equals(kek)) {
        throw new KmsException(Kind.INTERNAL, "the KMS opened a wrapped key to other bytes");
      }
      adopt(call, new Current(kek, remote, clock.instant()));
    } catch (KmsException e) {
      watch.failed(call, e);
      throw e;
    }
  }

  /// Status and Encrypt change together: nobody gets the new local KEK before the watch knows it.
  private synchronized void adopt(long call, Current fresh) {
    KekId id = fresh.remote.kek();
    if (watch.now().isSuperseded(id)) {
      throw new KmsException(Kind.UNAVAILABLE, "the KMS wraps with an older key version again");
    }
    LocalSeal.annotations(fresh.remote); // refuses one that could not be stored
    watch.wrapped(call, id);
    if (!watch.now().kek().equals(Optional.of(id))) {
      return; // A later call has already failed. The next probe brings another local KEK.
    }
    boolean keeps =
        current
            .filter(kek -> kek.remote.kek().equals(id) && decide(kek) == Decision.KEEP)
            .isPresent();
    if (!keeps) {
      current = Optional.of(fresh);
      opener.learn(fresh.remote, fresh.kek);
    }
  }

  /// Drops the local KEK: nothing is wrapped before the KMS has wrapped another one.
  public synchronized void forget() {
    current = Optional.empty();
  }
}
