package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.plugin.config.KeyOptions;
import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.config.KeyOptions.DecryptCache;
import io.keyward.kms.plugin.config.KeyOptions.LocalKekLimits;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms;
import io.keyward.kms.tck.FakeKms.Mood;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// API servers restart and ask for every seed they have ever stored, all at once.
final class BurstTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Long, since the machine may be busy. Two seconds are enough on a quiet one.
  private static final Duration BUDGET = Duration.ofSeconds(20);

  private static final int SEEDS = 2_000;
  private static final int RATE = 1_000;

  @TempDir private Path directory;
  private PluginFixture fixture;

  @BeforeEach
  void prepare() {
    fixture = new PluginFixture(directory).budget(BUDGET);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Secret seed(int number) {
    return new Secret(ByteBuffer.allocate(32).putInt(number).array());
  }

  /// The most calls that probes make in this time, and one that was under way before.
  private static int probes(double seconds) {
    return 2 + (int) (seconds * 1e3 / PluginFixture.PROBE.toMillis());
  }

  private FakeKms start(KeyOptions options) {
    fixture.options(options).key("payments", Mood.GOOD).start();
    KmsV2Client client = fixture.client("payments");
    await().atMost(PATIENCE).until(() -> client.status(PATIENCE).isHealthy());
    return fixture.kms("payments");
  }

  /// Every seed is asked for by `servers` API servers, each over its own connection, all at once.
  ///
  /// @return how many seconds it took
  private double burst(List<Wrapped> stored, int servers) throws Exception {
    long begin = System.nanoTime();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Future<Secret>>();
      for (int server = 0; server < servers; server++) {
        KmsV2Client client = fixture.client("payments");
        for (Wrapped wrapped : stored) {
          answers.add(callers.submit(() -> client.decrypt(wrapped, "uid", PATIENCE)));
        }
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get()).isEqualTo(seed(i % stored.size()));
      }
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  @Test
  void backendCallsKeepToTheRateAndNobodyTimesOut() throws Exception {
    FakeKms kms =
        start(
            new KeyOptions(
                Optional.of(new DecryptCache(SEEDS, Duration.ofMinutes(5))),
                new BackendLimit(RATE, 64),
                Optional.empty()));
    var stored = new ArrayList<Wrapped>();
    for (int i = 0; i < SEEDS; i++) {
      stored.add(kms.wrap(seed(i), PATIENCE));
    }
    int before = kms.unwraps();
    double seconds = burst(stored, 1);
    int calls = kms.unwraps() - before;
    // Each seed once, and what probes do meanwhile.
    assertThat(calls).isBetween(SEEDS, SEEDS + probes(seconds));
    assertThat(calls / seconds).as("calls in a second").isLessThan(RATE * 1.15);
    assertThat(fixture.client("payments").status(PATIENCE).isHealthy()).isTrue();

    int again = kms.unwraps();
    double secondsAgain = burst(stored, 3);
    assertThat(kms.unwraps() - again)
        .as("asked for again, by three")
        .isLessThanOrEqualTo(probes(secondsAgain));
  }

  @Test
  void withALocalKekTheKmsIsAskedOncePerKek() throws Exception {
    var options =
        new KeyOptions(Optional.empty(), BackendLimit.NONE, Optional.of(LocalKekLimits.DEFAULT));
    FakeKms kms = start(options);
    KmsV2Client client = fixture.client("payments");
    var stored = new ArrayList<Wrapped>();
    int before = kms.wraps();
    long begin = System.nanoTime();
    for (int i = 0; i < SEEDS; i++) {
      stored.add(client.encrypt(seed(i), "uid", PATIENCE));
    }
    burst(stored, 1);
    assertThat(kms.wraps() - before)
        .as("only probes")
        .isLessThanOrEqualTo(probes((System.nanoTime() - begin) / 1e9));
    assertThat(client.status(PATIENCE).keyId())
        .isEqualTo(stored.getFirst().kek().value())
        .isEqualTo(stored.getLast().kek().value());
  }
}
