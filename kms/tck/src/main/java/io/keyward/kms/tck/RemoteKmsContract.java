package io.keyward.kms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a provider of a KMS in a network promises beyond [KmsProviderContract]: whatever the
/// network and the KMS do, a call ends in time, with the right kind of failure, never with success
/// and nothing; and works again as soon as they do.
public abstract class RemoteKmsContract extends KmsProviderContract {
  private static final Secret DEK = new Secret(new byte[] {4, 8, 15, 16, 23, 42});

  /// What the plugin gives a call.
  private static final Duration BUDGET = Duration.ofMillis(2500);

  /// For what is known to last longer than any budget.
  private static final Duration SHORT = Duration.ofMillis(700);

  /// Makes the KMS behave like this from now on.
  protected abstract void misbehave(Trouble trouble);

  /// A provider for the same key that looks for the KMS elsewhere.
  protected abstract KmsProvider at(String host, int port);

  /// How many connections the KMS has seen so far.
  protected abstract int connections();

  @Override
  protected boolean hang() {
    misbehave(Trouble.SILENT);
    return true;
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "LATE"})
  void troubleIsToldByItsKindInTimeAndPasses(Trouble trouble) throws InterruptedException {
    Wrapped before = provider().wrap(DEK, TIMEOUT);
    misbehave(trouble);
    Duration budget = trouble.takesLong() ? SHORT : BUDGET;
    assertThat(failure(() -> provider().wrap(DEK, budget)).kind()).matches(trouble::allows);
    misbehave(Trouble.NONE);
    assertThat(openedWithinFiveSeconds(before)).isEqualTo(DEK);
  }

  @Test
  void anEmptyAnswerOpensNothing() {
    Wrapped before = provider().wrap(DEK, TIMEOUT);
    misbehave(Trouble.EMPTY);
    assertThat(failure(() -> provider().unwrap(before, BUDGET)).kind())
        .isIn(Kind.INTERNAL, Kind.CORRUPT, Kind.UNAVAILABLE);
  }

  @Test
  void tlsThatNeverBeginsIsATimeout() throws IOException {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      KmsProvider provider = at("localhost", silent.getLocalPort());
      assertThat(failure(() -> provider.wrap(DEK, SHORT)).kind()).isEqualTo(Kind.TIMEOUT);
    }
  }

  @Test
  void anAddressWithoutAServerIsUnavailable() throws IOException {
    int port;
    try (var closed = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    KmsProvider provider = at("localhost", port);
    assertThat(failure(() -> provider.wrap(DEK, BUDGET)).kind()).isEqualTo(Kind.UNAVAILABLE);
  }

  @Test
  void aNameThatCannotBeResolvedIsUnavailable() {
    KmsProvider provider = at("kms.invalid", 443);
    assertThat(failure(() -> provider.wrap(DEK, BUDGET)))
        .matches(e -> e.kind() == Kind.UNAVAILABLE)
        .matches(
            e -> e.describe().matches(".*(cannot be resolved|UnknownHost).*"), "says what it is");
  }

  @Test
  void noNewConnectionsWhenSixtyFourCallAtOnce() throws InterruptedException {
    provider().wrap(DEK, TIMEOUT); // logs in
    // Opens some more than are needed, all at once: one may not be back in the pool yet when its
    // caller calls again. On a busy machine some do not come up in time: hence twice.
    misbehave(Trouble.LATE);
    callers(96, 1);
    callers(96, 1);
    misbehave(Trouble.NONE);
    int before = connections();
    assertThat(callers(64, 16)).as("calls that worked").isEqualTo(64 * 16);
    assertThat(connections() - before).as("new connections in 1,024 calls").isZero();
  }

  /// How many calls worked.
  private int callers(int count, int each) throws InterruptedException {
    var worked = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        var _ =
            threads.submit(() -> {
              for (int call = 0; call < each; call++) {
                provider().wrap(DEK, Duration.ofSeconds(60));
                worked.incrementAndGet();
              }
            });
      }
      threads.shutdown();
      assertThat(threads.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
    }
    return worked.get();
  }

  private Secret openedWithinFiveSeconds(Wrapped before) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (true) {
      try {
        return provider().unwrap(before, BUDGET);
      } catch (KmsException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        Thread.sleep(50);
      }
    }
  }

  /// Fails, and in time: some more is allowed than the budget, since machines are busy. A wrap that
  /// must fail, and within the time that the plugin gives it.
  protected final KmsException wrapFails() {
    return failure(() -> provider().wrap(DEK, BUDGET));
  }

  private static KmsException failure(Runnable call) {
    long begin = System.nanoTime();
    var failure = catchThrowableOfType(KmsException.class, call::run);
    assertThat(failure).as("must fail").isNotNull();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    return failure;
  }
}
