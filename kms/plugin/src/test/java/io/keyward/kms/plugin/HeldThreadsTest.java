package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.tck.FakeKms.Mood;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A provider whose calls hold their thread, as those of HSMs do. It has one thread.
final class HeldThreadsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Secret DEK = new Secret(new byte[32]);

  @TempDir private Path directory;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.MINUTES,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().factory()) {
        @Override
        protected void afterExecute(Runnable call, @Nullable Throwable failure) {
          LockSupport.parkNanos(afterwards);
        }
      };
  private volatile long afterwards;
  private PluginFixture fixture;
  private KmsV2Client client;

  @BeforeEach
  void start() {
    fixture = new PluginFixture(directory).holding(threads).key("hsm", Mood.GOOD).start();
    client = fixture.client("hsm");
    await().atMost(PATIENCE).until(() -> client.status(PATIENCE).isHealthy());
  }

  @AfterEach
  void stop() {
    fixture.close();
    threads.shutdownNow();
  }

  @Test
  void servesARoundTripOnTheProvidersThread() {
    assertThat(client.decrypt(client.encrypt(DEK, "uid", PATIENCE), "uid", PATIENCE))
        .isEqualTo(DEK);
    await().atMost(PATIENCE).until(() -> threads.getCompletedTaskCount() == 2);
  }

  /// On a busy machine a thread may take long to become free after it has given its answer.
  @Test
  void finding32TheNextCallWaitsForAThreadThatIsAboutToBeFree() {
    afterwards = Duration.ofMillis(100).toNanos();
    for (int i = 0; i < 3; i++) {
      assertThat(client.decrypt(client.encrypt(DEK, "uid", PATIENCE), "uid", PATIENCE))
          .isEqualTo(DEK);
    }
  }

  @Test
  void aCallThatDoesNotEndBlocksNothingAndIsAnsweredInTime() {
    fixture.mood("hsm", new Mood(Duration.ofMinutes(5), Optional.empty(), true));
    Thread first = Thread.ofVirtual().start(this::failure);
    await().atMost(PATIENCE).until(() -> threads.getActiveCount() == 1);
    // If Status waited for the HSM, it would run into its own, much shorter, deadline.
    assertThat(client.status(Duration.ofSeconds(2)).version()).isEqualTo("v2");
    assertThat(failure().code()).as("no thread is left").isEqualTo("RESOURCE_EXHAUSTED");
    await().atMost(PATIENCE).until(() -> !first.isAlive());
    assertThat(threads.getActiveCount()).as("held on").isOne();
  }

  @Test
  void isToldWhyItsTimeWasSpent() {
    fixture.mood("hsm", new Mood(Duration.ofMinutes(5), Optional.empty(), true));
    PluginCallException failure = failure();
    assertThat(failure.code()).isEqualTo("DEADLINE_EXCEEDED");
    assertThat(failure.description()).contains("call budget");
  }

  private PluginCallException failure() {
    return catchThrowableOfType(
        PluginCallException.class, () -> client.encrypt(DEK, "uid", PATIENCE));
  }
}
