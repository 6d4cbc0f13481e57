package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logins of every kind, credentials that change or end, and a Vault that goes away and comes back;
/// all on a real one with TLS.
final class VaultTroubleIT {
  private static final Secret DEK = new Secret(new byte[32]);
  private static final Duration BUDGET = Duration.ofMillis(2500);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir private static Path directory;
  private static RealVault vault;
  private static Pki pki;

  @BeforeAll
  static void start() {
    vault = new RealVault(directory);
    pki = Pki.create(directory.resolve("pki"));
  }

  @AfterAll
  static void stop() {
    vault.close();
  }

  @AfterEach
  void close() {
    vault.closeProviders();
  }

  @Test
  void aTokenFileThatChangesIsReadAgain() {
    String first = vault.newToken("kms");
    Path file = vault.file(first + "\n");
    KmsProvider provider = vault.open(vault.token(file));
    provider.wrap(DEK, BUDGET);
    vault.admin("auth/token/revoke", "{\"token\":\"" + first + "\"}");
    assertThat(failure(provider).kind()).isEqualTo(Kind.DENIED);

    RealVault.write(file, vault.newToken("kms"));

    await().atMost(PATIENCE).until(() -> works(provider));
  }

  @Test
  void aTokenIsRenewedAtHalfItsLifeAndReplacedAtItsEnd() throws InterruptedException {
    String role = "{\"token_policies\":\"kms\",\"token_ttl\":\"4s\",\"token_max_ttl\":\"7s\"}";
    KmsProvider provider = vault.open(vault.appRole("short", role));
    Instant end = Instant.now().plusSeconds(10);
    while (Instant.now().isBefore(end)) {
      provider.wrap(DEK, BUDGET); // never fails
      Thread.sleep(200);
    }
    Instant until = provider.report(BUDGET).credentialsUntil().orElseThrow();
    assertThat(until).isAfter(Instant.now());
  }

  @Test
  void aBatchTokenIsReplacedAtHalfItsLife() throws InterruptedException {
    String role = "{\"token_policies\":\"kms\",\"token_type\":\"batch\",\"token_ttl\":\"4s\"}";
    KmsProvider provider = vault.open(vault.appRole("batch", role));
    provider.wrap(DEK, BUDGET);
    Instant first = provider.report(BUDGET).credentialsUntil().orElseThrow();
    Thread.sleep(3500);
    assertThat(provider.report(BUDGET).credentialsUntil().orElseThrow()).isAfter(first);
  }

  @Test
  void aWrongSecretIdIsNamedAndNotTriedAgainAtOnce() {
    Map<String, String> settings = vault.appRole("wrong", "{\"token_policies\":\"kms\"}");
    Path file = Path.of(settings.get("secretIdFile"));
    String right = read(file);
    RealVault.write(file, "00000000-0000-0000-0000-000000000000");
    KmsProvider provider = vault.open(settings);
    for (int i = 0; i < 20; i++) {
      assertThat(failure(provider).kind()).isEqualTo(Kind.DENIED);
    }
    assertThat(failure(provider).describe()).contains("refused the login");

    RealVault.write(file, right); // Vault locks a role after five failures

    await().atMost(PATIENCE).until(() -> works(provider));
  }

  @Test
  void jwtAndKubernetesLogInTheSameWay() throws GeneralSecurityException {
    String audience =
        "{\"role_type\":\"jwt\",\"user_claim\":\"sub\",\"bound_audiences\":\"vault\","
            + "\"token_policies\":\"kms\"}";
    String key = read(pki.serviceAccountPublicKey()).replace("\n", "\\n");
    // Our Vault has no method kubernetes. It is asked with the same words as jwt, which stands in.
    for (String method : List.of("jwt", "kubernetes")) {
      vault.admin("sys/auth/" + method, "{\"type\":\"jwt\"}");
      vault.admin("auth/" + method + "/config", "{\"jwt_validation_pubkeys\":[\"" + key + "\"]}");
      vault.admin("auth/" + method + "/role/node", audience);
      var settings = vault.base("kms");
      settings.put("auth", method);
      settings.put("role", "node");
      settings.put("jwtFile", vault.file(jwt()).toString());
      assertThat(works(vault.open(settings))).as(method).isTrue();
    }
  }

  @Test
  void aCertificateIsALoginAndIsReadAgainWhenItChanges() throws IOException {
    vault.admin("sys/auth/cert", "{\"type\":\"cert\"}");
    String ca = read(pki.clusterCa()).replace("\n", "\\n");
    vault.admin(
        "auth/cert/certs/node",
        "{\"certificate\":\""
            + ca
            + "\",\"allowed_common_names\":[\"node-2\"],"
            + "\"token_policies\":\"kms\"}");
    KeyPairFiles stranger = pki.user("node-1", Optional.empty());
    KeyPairFiles known = pki.user("node-2", Optional.empty());
    Path both = vault.file(read(stranger.certificate()) + read(stranger.key()));
    var settings = vault.base("kms");
    settings.put("auth", "cert");
    settings.put("role", "node");
    settings.put("clientCertFile", both.toString());
    KmsProvider provider = vault.open(settings);
    assertThat(failure(provider).kind()).isEqualTo(Kind.DENIED);

    Path next = vault.file(read(known.certificate()) + read(known.key()));
    Files.move(next, both, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

    await().atMost(PATIENCE).until(() -> works(provider));
  }

  @Test
  void anAuthorityThatChangesIsReadAgain() {
    Map<String, String> settings = vault.appRole();
    Path ca = vault.file(read(pki.clusterCa()));
    KmsProvider provider = vault.open(RealVault.with(settings, "caFile", ca.toString()));
    KmsException untrusted = failure(provider);
    assertThat(untrusted.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(untrusted.describe()).contains("not signed by a trusted CA", "caFile");

    RealVault.write(ca, read(vault.server().caCertificate().orElseThrow()));

    await().atMost(PATIENCE).until(() -> works(provider));
  }

  @Test
  void defect6StartsWithoutVaultAndIsWellSoonAfterItIsBack() {
    Map<String, String> settings = vault.token(vault.file(vault.server().rootToken()));
    vault.server().kill();
    KmsProvider provider = vault.open(settings);
    assertThat(inTime(provider).kind()).isEqualTo(Kind.UNAVAILABLE);
    // Not at once: the first call may meet a server that is just dying.
    await()
        .atMost(PATIENCE)
        .until(() -> inTime(provider).describe().contains("no server responds"));

    vault.server().start();
    vault.server().awaitReady();
    // A new authority, since this Vault makes one at every start.
    vault.setUp();

    await().atMost(Duration.ofSeconds(5)).until(() -> works(provider));
  }

  @Test
  void aSealedVaultIsNamed() throws IOException {
    KmsProvider provider = vault.open(vault.appRole());
    provider.wrap(DEK, BUDGET);
    vault.admin("sys/seal", "{}");
    KmsException sealed = inTime(provider);
    assertThat(sealed.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(sealed.describe()).contains("sealed");

    var key = Pattern.compile("Unseal Key: (\\S+)").matcher(Files.readString(vault.server().log()));
    String last = "";
    while (key.find()) {
      last = key.group(1);
    }
    vault.admin("sys/unseal", "{\"key\":\"" + last + "\"}");

    await().atMost(Duration.ofSeconds(5)).until(() -> works(provider));
  }

  @Test
  void aHangingVaultIsUsedAgainSoonAfterItGoesOn() {
    KmsProvider provider = vault.open(vault.appRole());
    provider.wrap(DEK, BUDGET);
    vault.server().pause();
    try {
      assertThat(inTime(provider).kind()).isEqualTo(Kind.TIMEOUT);
    } finally {
      vault.server().resume();
    }
    await().atMost(Duration.ofSeconds(5)).until(() -> works(provider));
  }

  @Test
  void credentialsAppearNowhere() {
    var text = new StringBuilder();
    var credentials = new ArrayList<String>();
    Logger logger = Logger.getLogger("io.keyward.kms.vault");
    Handler handler = new Collector(text);
    logger.addHandler(handler);
    try {
      Map<String, String> settings = vault.appRole("discreet", "{\"token_policies\":\"default\"}");
      credentials.add(read(Path.of(settings.get("secretIdFile"))));
      KmsProvider denied = vault.open(settings);
      text.append(everything(failure(denied))).append(denied);
      String token = vault.newToken("default");
      credentials.add(token);
      KmsProvider byToken = vault.open(vault.token(vault.file(token)));
      text.append(everything(failure(byToken)));
      var http = vault.open(RealVault.with(settings, "caFile", pki.clusterCa().toString()));
      text.append(everything(failure(http)));
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(text.toString()).contains("logged in to Vault").contains("denies the permission");
    assertThat(text.toString()).doesNotContain(credentials);
  }

  private static final class Collector extends Handler {
    private final StringBuilder text;

    Collector(StringBuilder text) {
      this.text = text;
    }

    @Override
    public void publish(LogRecord line) {
      synchronized (text) {
        text.append(new SimpleFormatter().format(line));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static String everything(KmsException failure) {
    var text = new StringBuilder(failure.describe());
    for (Throwable t = failure; t != null; t = t.getCause()) {
      text.append(t).append('\n');
    }
    return text.toString();
  }

  private static String jwt() throws GeneralSecurityException {
    var base64 = Base64.getUrlEncoder().withoutPadding();
    long now = Instant.now().getEpochSecond();
    String claims =
        "{\"sub\":\"node\",\"aud\":\"vault\",\"iat\":" + now + ",\"exp\":" + (now + 600) + "}";
    String signed =
        base64.encodeToString("{\"alg\":\"ES256\"}".getBytes(UTF_8))
            + "."
            + base64.encodeToString(claims.getBytes(UTF_8));
    String pem = read(pki.serviceAccountKey()).replaceAll("-----[A-Z ]+-----", "");
    var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initSign(
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem))));
    signature.update(signed.getBytes(UTF_8));
    return signed + "." + base64.encodeToString(signature.sign());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean works(KmsProvider provider) {
    try {
      return provider.unwrap(provider.wrap(DEK, BUDGET), BUDGET).equals(DEK);
    } catch (KmsException _) {
      return false;
    }
  }

  private static KmsException inTime(KmsProvider provider) {
    long begin = System.nanoTime();
    KmsException failure = failure(provider);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BUDGET.plusMillis(1000));
    return failure;
  }

  private static KmsException failure(KmsProvider provider) {
    var failure = catchThrowableOfType(KmsException.class, () -> provider.wrap(DEK, BUDGET));
    assertThat(failure).isNotNull();
    return failure;
  }
}
