package io.keyward.kms.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.health.WatchedProvider;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms;
import io.keyward.kms.tck.FakeKms.Mood;
import io.keyward.kms.tck.KmsProviderContract;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each decorator keeps the contract, and adds what it is for.
final class DecoratorTest {
  private static final Secret DEK = new Secret(new byte[32]);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /// The contract over a fake KMS, decorated.
  abstract static class Decorated extends KmsProviderContract {
    private volatile Mood mood = Mood.GOOD;
    private final FakeKms kms = new FakeKms("payments", () -> mood);
    private final KmsProvider provider = decorate(kms);

    abstract KmsProvider decorate(KmsProvider inner);

    @Override
    protected KmsProvider provider() {
      return provider;
    }

    @Override
    protected KmsProvider reopened() {
      return decorate(kms);
    }

    @Override
    protected KmsProvider otherKey() {
      return decorate(new FakeKms("other", () -> mood));
    }

    @Override
    protected void rotate() {
      kms.rotate();
    }

    @Override
    protected boolean hang() {
      mood = Mood.slow(Duration.ofHours(1));
      return true;
    }
  }

  @Nested
  final class TheFakeItself extends Decorated {
    @Override
    KmsProvider decorate(KmsProvider inner) {
      return inner;
    }
  }

  @Nested
  final class Retrying extends Decorated {
    @Override
    KmsProvider decorate(KmsProvider inner) {
      return new RetryingProvider(inner);
    }
  }

  @Nested
  final class Sharing extends Decorated {
    @Override
    KmsProvider decorate(KmsProvider inner) {
      return new SharingProvider(inner);
    }
  }

  @Nested
  final class Caching extends Decorated {
    @Override
    KmsProvider decorate(KmsProvider inner) {
      var memory = new SecretMemory(100, Duration.ofHours(1), System::nanoTime);
      return new CachingProvider(inner, memory);
    }
  }

  @Nested
  final class Limited extends Decorated {
    @Override
    KmsProvider decorate(KmsProvider inner) {
      return new LimitedProvider(inner, new BackendGate(new BackendLimit(100_000, 4)), false);
    }
  }

  @Nested
  final class Watched extends Decorated {
    @Override
    KmsProvider decorate(KmsProvider inner) {
      return new WatchedProvider(inner, new KeyWatch("payments", Clock.systemUTC()));
    }
  }

  @Test
  void retriesWhatMayPass() {
    var moods =
        new ArrayDeque<>(
            List.of(Mood.failing(Kind.UNAVAILABLE), Mood.failing(Kind.UNAVAILABLE), Mood.GOOD));
    var kms = new FakeKms("payments", () -> moods.size() > 1 ? moods.pop() : moods.peek());
    new RetryingProvider(kms).wrap(DEK, TIMEOUT);
    assertThat(kms.wraps()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "UNAVAILABLE")
  void triesEverythingElseOnce(Kind kind) {
    var kms = new FakeKms("payments", () -> Mood.failing(kind));
    var failure =
        catchThrowableOfType(
            KmsException.class, () -> new RetryingProvider(kms).wrap(DEK, TIMEOUT));
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(kms.wraps()).isEqualTo(1);
  }

  @Test
  void retriesOnlyInsideTheTimeGiven() {
    var kms = new FakeKms("payments", () -> Mood.failing(Kind.UNAVAILABLE));
    var failure =
        catchThrowableOfType(
            KmsException.class, () -> new RetryingProvider(kms).wrap(DEK, Duration.ofMillis(300)));
    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(kms.wraps()).isBetween(2, 12);
  }

  @Test
  void equalUnwrapsAtOneTimeReachTheKmsOnce() throws InterruptedException, ExecutionException {
    var kms = new FakeKms("payments", () -> Mood.GOOD);
    Wrapped wrapped = kms.wrap(DEK, TIMEOUT);
    Wrapped other = kms.wrap(DEK, TIMEOUT);
    var closed = new CountDownLatch(1);
    var slow = new FakeGate(kms, closed);
    var sharing = new SharingProvider(slow);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Future<Secret>>();
      for (int i = 0; i < 20; i++) {
        answers.add(callers.submit(() -> sharing.unwrap(wrapped, TIMEOUT)));
      }
      answers.add(callers.submit(() -> sharing.unwrap(other, TIMEOUT)));
      await().until(() -> slow.entered.getCount() == 0);
      closed.countDown();
      for (Future<Secret> answer : answers) {
        assertThat(answer.get()).isEqualTo(DEK);
      }
    }
    assertThat(kms.unwraps()).isLessThan(21).isGreaterThanOrEqualTo(2);
  }

  /// Holds unwraps back until a test lets them go.
  private static final class FakeGate implements KmsProvider {
    private final KmsProvider inner;
    private final CountDownLatch open;
    private final CountDownLatch entered = new CountDownLatch(2);

    FakeGate(KmsProvider inner, CountDownLatch open) {
      this.inner = inner;
      this.open = open;
    }

    @Override
    public Wrapped wrap(Secret dek, Duration timeout) {
      return inner.wrap(dek, timeout);
    }

    @Override
    public Secret unwrap(Wrapped wrapped, Duration timeout) {
      entered.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return inner.unwrap(wrapped, timeout);
    }

    @Override
    public boolean blocks() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void aSharedFailureIsEverybodysFailureAndIsForgotten() {
    var mood = new Mood[] {Mood.GOOD};
    var kms = new FakeKms("payments", () -> mood[0]);
    var provider = new SharingProvider(kms);
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    mood[0] = Mood.failing(Kind.DENIED);
    var failure = catchThrowableOfType(KmsException.class, () -> provider.unwrap(wrapped, TIMEOUT));
    assertThat(failure.kind()).isEqualTo(Kind.DENIED);
    mood[0] = Mood.GOOD;
    assertThat(provider.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void onlyWhatIsTheKmsFaultMakesTheKeyUnhealthy(Kind kind) {
    var mood = new Mood[] {Mood.GOOD};
    var watch = new KeyWatch("payments", Clock.systemUTC());
    var provider = new WatchedProvider(new FakeKms("payments", () -> mood[0]), watch);
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    mood[0] = new Mood(Duration.ZERO, Optional.of(kind), false);
    var failure = catchThrowableOfType(KmsException.class, () -> provider.unwrap(wrapped, TIMEOUT));
    assertThat(failure.kind()).isEqualTo(kind);
    boolean requestsFault =
        kind == Kind.CORRUPT || kind == Kind.UNKNOWN_KEK || kind == Kind.THROTTLED;
    assertThat(watch.now().isGood()).isEqualTo(requestsFault);
  }

  @Test
  void aLaggingReplicaCannotBringAnOldVersionBack() {
    var kms = new FakeKms("payments", () -> Mood.GOOD);
    var watch = new KeyWatch("payments", Clock.systemUTC());
    var provider = new WatchedProvider(kms, watch);
    provider.wrap(DEK, TIMEOUT);
    kms.rotate();
    var current = provider.wrap(DEK, TIMEOUT).kek();
    kms.useVersion(1);
    var failure = catchThrowableOfType(KmsException.class, () -> provider.wrap(DEK, TIMEOUT));
    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(watch.now().kek()).contains(current);
  }
}
