package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.plugin.config.KeyOptions;
import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.config.KeyOptions.DecryptCache;
import io.keyward.kms.plugin.config.KeyOptions.LocalKekLimits;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms.Mood;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The key is disabled in the KMS, or the permission for it is taken: what was remembered ends with
/// the first call that is denied, also a probe's.
final class TakenAwayTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Secret SEED = new Secret(new byte[32]);
  private static final Optional<DecryptCache> CACHE =
      Optional.of(new DecryptCache(10, Duration.ofHours(1)));

  @TempDir private Path directory;
  private PluginFixture fixture;

  @BeforeEach
  void prepare() {
    fixture = new PluginFixture(directory).budget(Duration.ofSeconds(5));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private KmsV2Client start(KeyOptions options) {
    fixture.options(options).key("payments", Mood.GOOD).start();
    KmsV2Client client = fixture.client("payments");
    await().atMost(PATIENCE).until(() -> client.status(PATIENCE).isHealthy());
    return client;
  }

  private void takeAway(KmsV2Client client) {
    fixture.mood("payments", Mood.failing(Kind.DENIED));
    await().atMost(PATIENCE).until(() -> !client.status(PATIENCE).isHealthy());
  }

  private static void assertDenied(ThrowingCallable call) {
    assertThatExceptionOfType(PluginCallException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo("PERMISSION_DENIED"));
  }

  @Test
  void theDecryptCacheIsDropped() {
    KmsV2Client client = start(new KeyOptions(CACHE, BackendLimit.NONE, Optional.empty()));
    Wrapped wrapped = client.encrypt(SEED, "uid", PATIENCE);
    assertThat(client.decrypt(wrapped, "uid", PATIENCE)).isEqualTo(SEED);

    takeAway(client);
    assertDenied(() -> client.decrypt(wrapped, "uid", PATIENCE));

    fixture.mood("payments", Mood.GOOD);
    assertThat(client.decrypt(wrapped, "uid", PATIENCE)).isEqualTo(SEED);
  }

  @Test
  void anOutageDropsNothing() {
    KmsV2Client client = start(new KeyOptions(CACHE, BackendLimit.NONE, Optional.empty()));
    Wrapped wrapped = client.encrypt(SEED, "uid", PATIENCE);
    client.decrypt(wrapped, "uid", PATIENCE);

    fixture.mood("payments", Mood.failing(Kind.UNAVAILABLE));
    await().atMost(PATIENCE).until(() -> !client.status(PATIENCE).isHealthy());

    assertThat(client.decrypt(wrapped, "uid", PATIENCE)).isEqualTo(SEED);
  }

  @Test
  void theLocalKekIsDropped() {
    var local = Optional.of(LocalKekLimits.DEFAULT);
    KmsV2Client client = start(new KeyOptions(Optional.empty(), BackendLimit.NONE, local));
    Wrapped wrapped = client.encrypt(SEED, "uid", PATIENCE);

    takeAway(client);
    assertDenied(() -> client.decrypt(wrapped, "uid", PATIENCE));
    assertDenied(() -> client.encrypt(SEED, "uid", PATIENCE));

    fixture.mood("payments", Mood.GOOD);
    await().atMost(PATIENCE).until(() -> client.status(PATIENCE).isHealthy());
    assertThat(client.decrypt(wrapped, "uid", PATIENCE)).isEqualTo(SEED);
  }
}
