package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.SecretFile;
import io.keyward.kms.vault.tls.Tls;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.pki.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Answers that a healthy Vault does not give, from a fake; and servers that give none.
final class FakeVaultTest {
  private static final Secret DEK = new Secret(new byte[32]);
  private static final Duration BUDGET = Duration.ofMillis(2500);

  /// Where time is not the question: the machine may be busy.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private final List<KmsProvider> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(KmsProvider::close);
  }

  @ParameterizedTest
  @CsvSource({
    "429, THROTTLED",
    "500, UNAVAILABLE",
    "502, UNAVAILABLE",
    "503, UNAVAILABLE",
    "473, UNAVAILABLE",
    "307, UNAVAILABLE",
    "418, INTERNAL"
  })
  void everyStatusHasItsKind(int status, Kind kind) throws IOException {
    try (var fake = new FakeVault(Optional.empty())) {
      fake.answer(status, "<html>");
      assertThat(failure(approle(fake, Map.of())).kind()).isEqualTo(kind);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''",
        "{}",
        "[]",
        "null",
        "{\"data\":{\"ciphertext\":\"\"}}",
        "{\"data\":{\"ciphertext\":\"vault:-:\"}}",
        "{\"data\":{\"ciphertext\":\"vault:v1:\"}}",
        "{\"data\":{\"ciphertext\":\"vault:v1:AAAA\",\"key_version\":2}}"
      })
  void defect1SuccessWithoutACiphertextIsAFailure(String body) throws IOException {
    try (var fake = new FakeVault(Optional.empty())) {
      fake.answer(200, body);
      assertThat(failure(approle(fake, Map.of())).kind()).isEqualTo(Kind.INTERNAL);
    }
  }

  @Test
  void aWrongClockIsNamedBeforeAndAfterItHurts() throws IOException {
    try (var fake = new FakeVault(Optional.empty())) {
      String here = "s ahead of that of the KMS";
      assertThat(at(Duration.ZERO, fake).report(PATIENCE).warnings())
          .noneMatch(it -> it.contains("clock"));
      KmsProvider fast = at(Duration.ofMinutes(10), fake);
      assertThat(fast.report(PATIENCE).warnings()).anyMatch(it -> it.contains(here));
      fake.refuseLogins();
      KmsProvider slow = at(Duration.ofMinutes(-10), fake);
      assertThat(failure(slow).describe()).contains("refused the login", "s behind that");
    }
  }

  /// A provider on a machine whose clock is wrong by so much.
  private KmsProvider at(Duration wrong, FakeVault fake) throws IOException {
    var http =
        new VaultHttp(
            fake.address("127.0.0.1"),
            new Tls(Optional.empty(), Optional.empty(), Optional.empty()));
    Path secret = Files.writeString(directory.resolve("secret-id"), "s");
    var login = new VaultLogin.AppRole("approle", "r", new SecretFile(secret));
    var sessions = new Sessions(http, login, "", Clock.offset(Clock.systemUTC(), wrong));
    var provider = new VaultProvider(new KeyPath("m", "k", "i"), "", http, sessions, false);
    opened.add(provider);
    return provider;
  }

  @Test
  void loginAndDataHaveTheirOwnNamespaces() throws IOException {
    try (var fake = new FakeVault(Optional.empty())) {
      approle(fake, Map.of("namespace", "team/a", "authNamespace", "ops")).wrap(DEK, BUDGET);
      assertThat(fake.seen())
          .containsExactly(
              new FakeVault.Seen("/v1/auth/approle/login", "ops", List.of()),
              new FakeVault.Seen("/v1/transit/encrypt/kms", "team/a", List.of()));
    }
  }

  @Test
  void oneCallForEachEncrypt() throws IOException {
    try (var fake = new FakeVault(Optional.empty())) {
      KmsProvider provider = approle(fake, Map.of());
      for (int i = 0; i < 10; i++) {
        provider.wrap(DEK, BUDGET);
      }
      assertThat(fake.seen()).hasSize(1 + 10);
    }
  }

  @Test
  void anotherServerNameIsAskedForAndChecked() throws IOException {
    var pki = Pki.create(directory.resolve("pki"));
    KeyPairFiles own = pki.server("vault", List.of("vault.internal"));
    try (var fake = new FakeVault(Optional.of(TlsContexts.client(pki.clusterCa(), own)))) {
      String ca = pki.clusterCa().toString();
      String address = fake.address("localhost").toString();
      var byAddress = approle(fake, Map.of("caFile", ca, "address", address));
      assertThat(failure(byAddress).describe()).contains("for another name", "tlsServerName");

      var settings = Map.of("caFile", ca, "address", address, "tlsServerName", "vault.internal");
      approle(fake, settings).wrap(DEK, PATIENCE);
      assertThat(fake.seen().getLast().serverNames()).containsExactly("vault.internal");

      var wrong = Map.of("caFile", ca, "address", address, "tlsServerName", "other.internal");
      assertThat(failure(approle(fake, wrong)).describe()).contains("for another name");
    }
  }

  @Test
  void aServerThatNeverFinishesTlsCostsNoMoreThanTheBudget() throws IOException {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      KmsException failure =
          inTime(approle("https://127.0.0.1:" + silent.getLocalPort(), Map.of()));
      assertThat(failure.kind()).isIn(Kind.TIMEOUT, Kind.UNAVAILABLE);
    }
  }

  @Test
  void aServerThatClosesEveryConnectionCostsNoMoreThanTheBudget() throws IOException {
    try (var rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> closeAll(rude));
      KmsException failure = inTime(approle("https://127.0.0.1:" + rude.getLocalPort(), Map.of()));
      assertThat(failure.kind()).isIn(Kind.UNAVAILABLE, Kind.TIMEOUT);
    }
  }

  private static void closeAll(ServerSocket server) {
    try {
      while (true) {
        server.accept().close();
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  @Test
  void aBodyThatNeverEndsCostsNoMoreThanTheBudget() throws IOException {
    try (var stingy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> beginToAnswer(stingy));
      KmsException failure = inTime(approle("http://127.0.0.1:" + stingy.getLocalPort(), Map.of()));
      assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
    }
  }

  private static void beginToAnswer(ServerSocket server) {
    try {
      while (true) {
        var socket = server.accept();
        socket
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(US_ASCII));
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  @Test
  void aNameThatDoesNotExistIsNamed() throws IOException {
    String address = "https://vault.does-not-exist.invalid";
    assertThat(inTime(approle(address, Map.of())).kind()).isIn(Kind.UNAVAILABLE, Kind.TIMEOUT);
    assertThat(failure(approle(address, Map.of())).describe()).contains("name of the Vault server");
  }

  private static KmsException inTime(KmsProvider provider) {
    long begin = System.nanoTime();
    KmsException failure = failure(provider, BUDGET);
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isLessThan(BUDGET.plusMillis(1000)); // the machine may be busy
    return failure;
  }

  private static KmsException failure(KmsProvider provider) {
    return failure(provider, PATIENCE);
  }

  private static KmsException failure(KmsProvider provider, Duration timeout) {
    var failure = catchThrowableOfType(KmsException.class, () -> provider.wrap(DEK, timeout));
    assertThat(failure).isNotNull();
    return failure;
  }

  private KmsProvider approle(FakeVault fake, Map<String, String> more) throws IOException {
    return approle(fake.address("127.0.0.1").toString(), more);
  }

  private KmsProvider approle(String address, Map<String, String> more) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret-id"), "s");
    var settings = new HashMap<String, String>();
    settings.putAll(
        Map.of(
            "address", address,
            "key", "kms",
            "auth", "approle",
            "roleId", "r",
            "secretIdFile", secret.toString()));
    settings.putAll(more);
    var provider = new VaultProviderFactory().create(new ProviderSettings(settings));
    opened.add(provider);
    return provider;
  }
}
