package io.keyward.kms.tck;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// A fake KMS: it remembers what it wrapped instead of encrypting it, and misbehaves on request.
/// For tests of what stands around a provider, never for data.
public final class FakeKms implements KmsProvider {
  /// How it behaves from now on.
  ///
  /// @param delay how long each call takes
  /// @param failure how each call then fails; empty where it does not
  /// @param rude whether it ignores the time a caller gives it
  public record Mood(Duration delay, Optional<Kind> failure, boolean rude) {
    public static final Mood GOOD = new Mood(Duration.ZERO, Optional.empty(), false);

    public static Mood slow(Duration delay) {
      return new Mood(delay, Optional.empty(), false);
    }

    public static Mood failing(Kind failure) {
      return new Mood(Duration.ZERO, Optional.of(failure), false);
    }
  }

  private record Stored(Wrapped wrapped, Secret dek) {}

  private final String key;
  private final Supplier<Mood> mood;
  private final SecureRandom random = new SecureRandom();
  private final ConcurrentMap<Bytes, Stored> memory = new ConcurrentHashMap<>();
  private final Set<KekId> versions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger version = new AtomicInteger(1);
  private final AtomicInteger wraps = new AtomicInteger();
  private final AtomicInteger unwraps = new AtomicInteger();
  private final AtomicInteger reports = new AtomicInteger();
  private volatile boolean forbidden;
  private volatile KekReport report = KekReport.NOTHING;

  public FakeKms(String key, Supplier<Mood> mood) {
    this.key = key;
    this.mood = mood;
  }

  /// Wraps with another version from now on.
  public void useVersion(int number) {
    version.set(number);
  }

  public void rotate() {
    version.incrementAndGet();
  }

  public int wraps() {
    return wraps.get();
  }

  public int unwraps() {
    return unwraps.get();
  }

  public int reports() {
    return reports.get();
  }

  /// What it says about its key from now on.
  public void reportAs(KekReport words) {
    report = words;
  }

  /// Refuses to wrap and to unwrap from now on, and goes on to report.
  public void forbidCalls() {
    forbidden = true;
  }

  private void refuseIfForbidden() {
    if (forbidden) {
      throw new KmsException(Kind.DENIED, "the fake KMS forbids the key");
    }
  }

  @Override
  public KekReport report(Duration timeout) {
    reports.incrementAndGet();
    behave(timeout);
    return report;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    wraps.incrementAndGet();
    refuseIfForbidden();
    behave(timeout);
    String number = Integer.toString(version.get());
    var token = new byte[48];
    random.nextBytes(token);
    var wrapped =
        new Wrapped(
            KekId.of("fake", key, number),
            Bytes.copyOf(token),
            new Annotations(Map.of("version.fake.keyward.io", Bytes.utf8(number))));
    versions.add(wrapped.kek());
    memory.put(wrapped.ciphertext(), new Stored(wrapped, dek));
    return wrapped;
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    unwraps.incrementAndGet();
    refuseIfForbidden();
    behave(timeout);
    if (!versions.contains(wrapped.kek())) {
      throw new KmsException(Kind.UNKNOWN_KEK, "no such key version");
    }
    Stored stored = memory.get(wrapped.ciphertext());
    if (stored == null || !stored.wrapped().equals(wrapped)) {
      throw new KmsException(Kind.CORRUPT, "nothing like this was wrapped here");
    }
    return stored.dek();
  }

  private void behave(Duration timeout) {
    Mood now = mood.get();
    boolean tooLong = !now.rude() && now.delay().compareTo(timeout) > 0;
    sleep(tooLong ? timeout : now.delay());
    if (tooLong) {
      throw new KmsException(Kind.TIMEOUT, "the fake KMS did not answer in time");
    }
    if (now.failure().isPresent()) {
      throw new KmsException(now.failure().get(), "the fake KMS was told to fail");
    }
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    }
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public void close() {}
}
