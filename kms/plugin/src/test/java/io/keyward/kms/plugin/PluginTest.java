package io.keyward.kms.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.plugin.config.SocketAccess;
import io.keyward.kms.plugin.socket.SocketProblem;
import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms.Mood;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PluginTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
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

  private static PluginStatus status(KmsV2Client client) {
    return client.status(PATIENCE);
  }

  private static void awaitHealthy(KmsV2Client client) {
    await().atMost(PATIENCE).until(() -> status(client).isHealthy());
  }

  private static PluginCallException encryptFailure(KmsV2Client client) {
    return catchThrowableOfType(
        PluginCallException.class, () -> client.encrypt(DEK, "uid", PATIENCE));
  }

  @Test
  void servesARoundTripUnderTheKeyIdThatStatusNames() {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    awaitHealthy(client);
    Wrapped wrapped = client.encrypt(DEK, "uid", PATIENCE);
    assertThat(client.decrypt(wrapped, "uid", PATIENCE)).isEqualTo(DEK);
    assertThat(status(client).keyId()).isEqualTo(wrapped.kek().value());
    assertThat(status(client).version()).isEqualTo("v2");
  }

  @Test
  void startsBeforeItsKmsAndBecomesHealthyLater() {
    KmsV2Client client =
        fixture.key("payments", Mood.failing(Kind.UNAVAILABLE)).start().client("payments");
    assertThat(status(client).isHealthy()).isFalse();
    assertThat(status(client).keyId()).isEmpty();
    fixture.mood("payments", Mood.GOOD);
    awaitHealthy(client);
    assertThat(status(client).keyId()).isNotEmpty();
  }

  @Test
  void tellsAnOutageWithItsReasonAndTheLastKeyId() {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    awaitHealthy(client);
    String keyId = status(client).keyId();
    fixture.mood("payments", Mood.failing(Kind.DENIED));
    await().atMost(PATIENCE).until(() -> !status(client).isHealthy());
    assertThat(status(client).healthz()).contains("the fake KMS was told to fail");
    assertThat(status(client).keyId()).isEqualTo(keyId);
    fixture.mood("payments", Mood.GOOD);
    awaitHealthy(client);
  }

  @Test
  void oneKeysTroubleIsNotTheOthers() {
    fixture.key("good", Mood.GOOD).key("bad", Mood.failing(Kind.DENIED)).start();
    KmsV2Client good = fixture.client("good");
    KmsV2Client bad = fixture.client("bad");
    awaitHealthy(good);
    assertThat(status(bad).isHealthy()).isFalse();
    assertThat(encryptFailure(bad).code()).isEqualTo("PERMISSION_DENIED");
    assertThat(good.decrypt(good.encrypt(DEK, "uid", PATIENCE), "uid", PATIENCE)).isEqualTo(DEK);
    assertThat(status(good).keyId()).isNotEqualTo(status(bad).keyId());
  }

  @Test
  void aSlowKmsNeverBlocksStatusAndEndsEachCallWithinTheBudget() {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    awaitHealthy(client);
    fixture.mood("payments", Mood.slow(Duration.ofMinutes(5)));
    Thread call = Thread.ofVirtual().start(() -> encryptFailure(client));
    // If Status waited for the KMS, it would run into its own, much shorter, deadline.
    assertThat(client.status(Duration.ofSeconds(2)).version()).isEqualTo("v2");
    assertThat(encryptFailure(client).code()).isEqualTo("DEADLINE_EXCEEDED");
    assertThat(call.isInterrupted()).isFalse();
    await().atMost(PATIENCE).until(() -> !status(client).isHealthy());
  }

  @Test
  void aProviderThatIgnoresItsTimeIsNotWaitedFor() {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    awaitHealthy(client);
    fixture.mood("payments", new Mood(Duration.ofMinutes(5), Optional.empty(), true));
    PluginCallException failure = encryptFailure(client);
    assertThat(failure.code()).isEqualTo("DEADLINE_EXCEEDED");
    assertThat(failure.description()).contains("call budget");
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UNAVAILABLE | UNAVAILABLE
          TIMEOUT     | DEADLINE_EXCEEDED
          THROTTLED   | RESOURCE_EXHAUSTED
          DENIED      | PERMISSION_DENIED
          UNKNOWN_KEK | NOT_FOUND
          CORRUPT     | INVALID_ARGUMENT
          INTERNAL    | INTERNAL
          """)
  void everyFailureHasAProperCode(Kind kind, String code) {
    KmsV2Client client = fixture.key("payments", Mood.failing(kind)).start().client("payments");
    assertThat(encryptFailure(client).code()).isEqualTo(code);
  }

  @Test
  void refusesWhatIsTamperedWith() {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    awaitHealthy(client);
    Wrapped good = client.encrypt(DEK, "uid", PATIENCE);
    assertThat(
            decryptCode(
                client, new Wrapped(new KekId("other"), good.ciphertext(), good.annotations())))
        .isEqualTo("NOT_FOUND");
    assertThat(
            decryptCode(client, new Wrapped(good.kek(), Bytes.utf8("other"), good.annotations())))
        .isEqualTo("INVALID_ARGUMENT");
    assertThat(decryptCode(client, new Wrapped(good.kek(), good.ciphertext(), Annotations.NONE)))
        .isEqualTo("INVALID_ARGUMENT");
    assertThat(status(client).isHealthy()).as("not the KMS's fault").isTrue();
  }

  private static String decryptCode(KmsV2Client client, Wrapped wrapped) {
    return catchThrowableOfType(
            PluginCallException.class, () -> client.decrypt(wrapped, "uid", PATIENCE))
        .code();
  }

  @Test
  void refusesSizesThatTheProtocolDoesNotKnow() {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    for (int size : new int[] {0, 513, 20_000}) {
      var failure =
          catchThrowableOfType(
              PluginCallException.class,
              () -> client.encrypt(new Secret(new byte[size]), "uid", PATIENCE));
      assertThat(failure.code()).isEqualTo("INVALID_ARGUMENT");
      assertThat(failure.description()).contains("1 to 512 bytes: " + size);
    }
    var huge =
        catchThrowableOfType(
            PluginCallException.class,
            () -> client.encrypt(new Secret(new byte[1 << 20]), "uid", PATIENCE));
    assertThat(huge.code()).isEqualTo("RESOURCE_EXHAUSTED");
    var many = new HashMap<String, Bytes>();
    for (int i = 0; i < 30; i++) {
      many.put("a" + i + ".example.org", Bytes.copyOf(new byte[1000]));
    }
    var fits = new Wrapped(new KekId("x"), Bytes.utf8("x"), new Annotations(many));
    assertThat(decryptCode(client, fits)).isEqualTo("NOT_FOUND");
  }

  @Test
  void aRotationInTheKmsShowsInStatusByItself() {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    awaitHealthy(client);
    String before = status(client).keyId();
    Wrapped old = client.encrypt(DEK, "uid", PATIENCE);
    fixture.kms("payments").rotate();
    await().atMost(PATIENCE).until(() -> !status(client).keyId().equals(before));
    assertThat(client.encrypt(DEK, "uid", PATIENCE).kek().value())
        .isEqualTo(status(client).keyId());
    assertThat(client.decrypt(old, "uid", PATIENCE)).isEqualTo(DEK);
  }

  @Test
  void speaksV1OnlyWhenAsked() {
    KmsV2Client unused = fixture.key("v2", Mood.GOOD).start().client("v2");
    awaitHealthy(unused);
    try (var old = new V1Client(fixture.socket("v2"))) {
      assertThat(old.failureOfVersion()).isEqualTo("UNIMPLEMENTED");
    }
    try (var other = new PluginFixture(directory).kmsV1().key("v1", Mood.GOOD).start();
        var old = new V1Client(other.socket("v1"))) {
      assertThat(old.version()).isEqualTo("v1beta1 keyward");
      byte[] cipher = old.encrypt(DEK.reveal());
      assertThat(old.decrypt(cipher)).isEqualTo(DEK.reveal());
      cipher[cipher.length - 1] ^= 1;
      assertThat(old.failureOfDecrypt(cipher)).isIn("INVALID_ARGUMENT", "NOT_FOUND");
      assertThat(old.failureOfDecrypt(new byte[] {1, 2, 3})).isEqualTo("INVALID_ARGUMENT");
    }
  }

  @Test
  void onlyThePeersThatAreNamedMayConnect() {
    var nobody = new SocketAccess("0660", Optional.empty(), List.of("nobody"));
    KmsV2Client client =
        fixture.access(nobody).key("payments", Mood.GOOD).start().client("payments");
    assertThat(encryptFailure(client).code()).isEqualTo("UNAVAILABLE");
  }

  @Test
  void drainsWhatIsInProgressAndLeavesNoSocket() throws Exception {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    awaitHealthy(client);
    fixture.mood("payments", Mood.slow(Duration.ofMillis(300)));
    var answers = new LinkedBlockingQueue<Wrapped>();
    Thread.ofVirtual().start(() -> answers.add(client.encrypt(DEK, "uid", PATIENCE)));
    int before = fixture.kms("payments").wraps();
    await()
        .atMost(PATIENCE)
        .until(() -> fixture.kms("payments").wraps() > before || !answers.isEmpty());
    fixture.plugin().drain();
    assertThat(answers.poll(10, TimeUnit.SECONDS)).isNotNull();
    assertThat(Files.exists(fixture.socket("payments"))).isFalse();
  }

  @Test
  void livenessReadinessAndBackendHealthAreThreeThings() throws Exception {
    fixture.key("good", Mood.GOOD).key("bad", Mood.failing(Kind.DENIED)).start();
    awaitHealthy(fixture.client("good"));
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    HttpResponse<String> health = get("/healthz");
    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(health.body()).contains("good: ok\n").contains("bad: the fake KMS was told to fail");
  }

  @Test
  void metricsKeepTheirNames() throws Exception {
    fixture.key("payments", Mood.GOOD).start();
    KmsV2Client client = fixture.client("payments");
    awaitHealthy(client);
    client.decrypt(client.encrypt(DEK, "uid", PATIENCE), "uid", PATIENCE);
    decryptCode(client, new Wrapped(new KekId("x"), Bytes.utf8("x"), Annotations.NONE));
    String metrics = get("/metrics").body();
    assertThat(metrics)
        .contains("kms_encrypt_requests_total{key=\"payments\"} 1.0")
        .contains("kms_decrypt_requests_total{key=\"payments\"} 2.0")
        .contains("kms_errors_total{code=\"NOT_FOUND\",key=\"payments\",operation=\"decrypt\"} 1.0")
        .contains(
            "kms_request_duration_seconds_bucket{key=\"payments\",operation=\"encrypt\",le=\"1.0E-4\"}")
        .contains("kms_key_healthy{key=\"payments\"} 1.0")
        .contains("kms_key_age_seconds{key=\"payments\"}")
        .contains("kms_last_success_timestamp_seconds{key=\"payments\"}")
        .containsPattern(
            "kms_current_key_id\\{key=\"payments\",key_id_hash=\"sha256:[0-9a-f]{64}\"} 1.0")
        .doesNotContain("warm-up");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create(fixture.url(path))).build(), BodyHandlers.ofString());
    }
  }

  @Test
  void twoPluginsCannotShareASocket() {
    fixture.key("payments", Mood.GOOD).start();
    awaitHealthy(fixture.client("payments"));
    var second = new PluginFixture(directory).key("payments", Mood.GOOD);
    assertThat(catchThrowableOfType(SocketProblem.class, second::start).problem())
        .contains("another process already serves");
    assertThat(status(fixture.client("payments")).isHealthy()).isTrue();
  }
}
