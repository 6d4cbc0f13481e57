package io.keyward.kms.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms;
import io.keyward.kms.tck.FakeKms.Mood;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Faults that KMS plugins are known to have, one test for each: this one has none of them. The
/// numbers are those of docs/known-faults.md, which also says what each provider must show.
final class KnownFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /// One probe interval, and the time of one probe, generously: this is a busy machine.
  private static final Duration ONE_INTERVAL = Duration.ofSeconds(5);

  private static final Secret DEK = new Secret("a data encryption key, 32 bytes.".getBytes(UTF_8));

  @TempDir private Path directory;
  private PluginFixture fixture;

  @BeforeEach
  void prepare() {
    fixture = new PluginFixture(directory);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private KmsV2Client healthy(String key) {
    KmsV2Client client = fixture.client(key);
    await().atMost(PATIENCE).until(() -> status(client).isHealthy());
    return client;
  }

  private static PluginStatus status(KmsV2Client client) {
    return client.status(PATIENCE);
  }

  private static Wrapped encrypt(KmsV2Client client) {
    return client.encrypt(DEK, "uid", PATIENCE);
  }

  private static String encryptCode(KmsV2Client client, Duration timeout) {
    return catchThrowableOfType(
            PluginCallException.class, () -> client.encrypt(DEK, "uid", timeout))
        .code();
  }

  private static String decryptCode(KmsV2Client client, Wrapped wrapped) {
    return catchThrowableOfType(
            PluginCallException.class, () -> client.decrypt(wrapped, "uid", PATIENCE))
        .code();
  }

  @Test
  void fault01NeverAnEmptyCiphertextWithSuccess() {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    for (Kind kind : Kind.values()) {
      fixture.mood("payments", Mood.failing(kind));
      assertThat(encryptCode(client, PATIENCE)).isNotEqualTo("OK");
    }
    assertThatIllegalArgumentException()
        .as("a provider cannot even say it")
        .isThrownBy(() -> new Wrapped(new KekId("x"), Bytes.copyOf(new byte[0]), Annotations.NONE));
  }

  @Test
  void fault02NoFileOrConnectionIsLeftOpenBySixThousandDecrypts() throws IOException {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    Wrapped wrapped = encrypt(client);
    client.decrypt(wrapped, "uid", PATIENCE);
    long before = openFiles();
    for (int i = 0; i < 6_000; i++) {
      client.decrypt(wrapped, "uid", PATIENCE);
    }
    // Both ends are in this process, and the KMS is a fake without connections; VaultPluginIT does
    // the same to a process with a real one. The machine may open a few files of its own.
    assertThat(openFiles()).isLessThan(before + 20);
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  @Test
  void fault03TwoKeysNeverShareAKeyId() {
    fixture.key("a", Mood.GOOD).key("b", Mood.GOOD).start();
    assertThat(encrypt(healthy("a")).kek()).isNotEqualTo(encrypt(healthy("b")).kek());
  }

  @Test
  void fault04TheKeyIdBelongsToItsCiphertextWhileTheKeyRotates() {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    FakeKms kms = fixture.kms("payments");
    int good = 0;
    for (int i = 0; i < 400; i++) {
      if (i % 20 == 0) {
        kms.rotate();
      }
      try {
        Wrapped wrapped = encrypt(client);
        // The fake refuses a ciphertext under another version's id.
        assertThat(client.decrypt(wrapped, "uid", PATIENCE)).isEqualTo(DEK);
        assertThat(status(client).keyId()).isEqualTo(wrapped.kek().value());
        good++;
      } catch (PluginCallException e) {
        assertThat(e.code()).as("overtaken by a rotation").isEqualTo("UNAVAILABLE");
      }
    }
    assertThat(good).isGreaterThan(350);
  }

  @Test
  void fault05ARefusalEndsWithTheFirstCallThatWorks() {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    fixture.mood("payments", Mood.failing(Kind.DENIED));
    assertThat(encryptCode(client, PATIENCE)).isEqualTo("PERMISSION_DENIED");
    assertThat(status(client).isHealthy()).isFalse();
    fixture.mood("payments", Mood.GOOD);
    encrypt(client);
    assertThat(status(client).isHealthy()).as("at once, not after some tick").isTrue();
  }

  @Test
  void fault06StartsWithoutItsKmsAndOverASocketThatWasLeftBehind() throws IOException {
    try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(fixture.socket("payments")));
    }
    assertThat(fixture.socket("payments")).exists();
    fixture.key("payments", Mood.failing(Kind.UNAVAILABLE)).start();
    assertThat(status(fixture.client("payments")).isHealthy()).isFalse();
    fixture.mood("payments", Mood.GOOD);
    encrypt(healthy("payments"));
  }

  @Test
  void fault07IsAliveAndReadyWithoutItsKms() {
    fixture.key("payments", Mood.slow(Duration.ofHours(1))).start();
    assertThat(fixture.get("/livez")).isEqualTo("ok\n");
    assertThat(fixture.get("/readyz")).isEqualTo("ok\n");
    assertThat(fixture.get("/healthz")).doesNotContain("ok");
  }

  @Test
  void fault08EachKeyHasItsOwnHealth() {
    fixture.key("good", Mood.GOOD).key("bad", Mood.failing(Kind.DENIED)).start();
    KmsV2Client good = healthy("good");
    KmsV2Client bad = fixture.client("bad");
    await().atMost(PATIENCE).until(() -> status(bad).healthz().contains("told to fail"));
    assertThat(status(good).healthz()).isEqualTo("ok");
    assertThat(fixture.get("/healthz")).contains("good: ok\n").contains("bad: the fake KMS");
    assertThat(fixture.get("/metrics"))
        .contains("kms_key_healthy{key=\"good\"} 1.0", "kms_key_healthy{key=\"bad\"} 0.0");
  }

  @Test
  void fault09StatusIsTrueWithinOneIntervalBothWaysAndSaysWhy() {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    fixture.mood("payments", Mood.failing(Kind.DENIED));
    await().atMost(ONE_INTERVAL).until(() -> !status(client).isHealthy());
    assertThat(status(client).healthz()).contains("the fake KMS was told to fail");
    fixture.mood("payments", Mood.GOOD);
    await().atMost(ONE_INTERVAL).until(() -> status(client).isHealthy());
  }

  @Test
  void fault10TheKeyIdMovesWhenTheKeyRotates() {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    String before = status(client).keyId();
    fixture.kms("payments").rotate();
    await().atMost(ONE_INTERVAL).until(() -> !status(client).keyId().equals(before));
  }

  @Test
  void fault11StatusNamesNoOtherKeyIdThanEncryptFromTheFirstMoment() {
    var seen = new HashSet<String>();
    for (int start = 0; start < 3; start++) {
      try (var again = new PluginFixture(directory).key("payments", Mood.GOOD).start()) {
        KmsV2Client client = again.client("payments");
        seen.add(status(client).keyId());
        await().atMost(PATIENCE).until(() -> seen.add(status(client).keyId()) || isReady(client));
        seen.add(encrypt(client).kek().value());
        seen.add(status(client).keyId());
      }
    }
    seen.remove(""); // not known yet, which is true and unhealthy
    assertThat(seen).hasSize(1);
  }

  private static boolean isReady(KmsV2Client client) {
    return status(client).isHealthy();
  }

  @Test
  void fault12StoredDataNeverChoosesTheKey() {
    fixture.key("mine", Mood.GOOD).key("other", Mood.GOOD).start();
    KmsV2Client mine = healthy("mine");
    Wrapped foreign = encrypt(healthy("other"));
    assertThat(decryptCode(mine, foreign)).isEqualTo("NOT_FOUND");
    var named = new Wrapped(encrypt(mine).kek(), foreign.ciphertext(), foreign.annotations());
    assertThat(decryptCode(mine, named)).isEqualTo("INVALID_ARGUMENT");
  }

  @Test
  void fault13AHangIsAnsweredInTimeAndStatusStillAnswers() {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    fixture.mood("payments", new Mood(Duration.ofHours(1), Optional.empty(), true));
    long begin = System.nanoTime();
    assertThat(encryptCode(client, PATIENCE)).isEqualTo("DEADLINE_EXCEEDED");
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isLessThan(PluginFixture.BUDGET.plusSeconds(2));
    await().atMost(ONE_INTERVAL).until(() -> !client.status(Duration.ofSeconds(1)).isHealthy());
  }

  @Test
  void fault14OldVersionsOpenAndNoErrorTextIsALabel() {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    Wrapped old = encrypt(client);
    fixture.kms("payments").rotate();
    encrypt(client);
    assertThat(client.decrypt(old, "uid", PATIENCE)).isEqualTo(DEK);
    for (int i = 0; i < 200; i++) {
      decryptCode(client, new Wrapped(new KekId("id" + i), Bytes.utf8("x" + i), Annotations.NONE));
    }
    String metrics = fixture.get("/metrics");
    assertThat(metrics.lines().filter(line -> line.startsWith("kms_errors_total"))).hasSize(1);
    assertThat(metrics).doesNotContain("id17", "no such key version");
  }

  @Test
  void fault15ProperCodesAPrivateSocketTheCallersDeadlineAndABoundedDrain() throws IOException {
    fixture.budget(Duration.ofSeconds(30)).key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(fixture.socket("payments"))))
        .isEqualTo("rw-------");
    var codes = new HashSet<String>();
    for (Kind kind : Set.of(Kind.DENIED, Kind.THROTTLED, Kind.CORRUPT)) {
      fixture.mood("payments", Mood.failing(kind));
      codes.add(encryptCode(client, PATIENCE));
    }
    assertThat(codes)
        .containsExactlyInAnyOrder("PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "INVALID_ARGUMENT");

    fixture.mood("payments", new Mood(Duration.ofHours(1), Optional.empty(), true));
    assertThat(encryptCode(client, Duration.ofMillis(500))).isEqualTo("DEADLINE_EXCEEDED");
    int before = fixture.kms("payments").wraps();
    Thread.ofVirtual().start(() -> encryptCode(client, PATIENCE));
    await().atMost(PATIENCE).until(() -> fixture.kms("payments").wraps() > before);
    long begin = System.nanoTime();
    fixture.plugin().drain(); // two seconds are allowed
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void fault16DecryptRefusesAnyOtherKeyId() {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = healthy("payments");
    Wrapped old = encrypt(client);
    fixture.kms("payments").rotate();
    KekId current = encrypt(client).kek();
    for (KekId id : Set.of(new KekId("nobody"), current)) {
      assertThat(decryptCode(client, new Wrapped(id, old.ciphertext(), old.annotations())))
          .isIn("NOT_FOUND", "INVALID_ARGUMENT");
    }
  }
}
