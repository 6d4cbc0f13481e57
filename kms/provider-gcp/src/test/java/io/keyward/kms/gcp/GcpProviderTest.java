package io.keyward.kms.gcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.keyward.kms.fakes.FakeGoogleLogin;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.SettingsException;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.RemoteKmsContract;
import io.keyward.kms.tck.Trouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The contract and the defects of other plugins, with Google's SDK against a fake of Cloud KMS.
final class GcpProviderTest extends RemoteKmsContract {
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
  private static final String RING = "projects/p/locations/global/keyRings/r/cryptoKeys/";

  @TempDir private Path directory;
  private final List<KmsProvider> opened = new ArrayList<>();
  private FakeGoogleLogin login;
  private FakeCloudKms fake;
  private Path account;
  private KmsProvider provider;

  /// Loads the SDK, which takes long on a busy machine, before anything is timed.
  @BeforeAll
  static void warmUp(@TempDir Path directory) throws IOException {
    var test = new GcpProviderTest();
    test.directory = directory;
    test.start();
    test.provider.wrap(DEK, Duration.ofMinutes(2));
    test.stop();
  }

  @BeforeEach
  void start() throws IOException {
    login = FakeGoogleLogin.start(directory);
    fake = new FakeCloudKms(directory, login::knows);
    fake.createKey(RING + "kek");
    account = ServiceAccountFile.write(directory.resolve("account.json"), login.address());
    // Both fakes have an authority of their own; the provider trusts what is in one file.
    Files.writeString(
        directory.resolve("ca.pem"), Files.readString(login.ca()) + Files.readString(fake.ca()));
    provider = open(settings("kek"));
  }

  @AfterEach
  void stop() {
    opened.forEach(KmsProvider::close);
    fake.close();
    login.close();
  }

  private Map<String, String> settings(String key) {
    return new HashMap<>(
        Map.of(
            "key", RING + key,
            "credentialsFile", account.toString(),
            "endpoint", fake.endpoint(),
            "caFile", directory.resolve("ca.pem").toString()));
  }

  private KmsProvider open(Map<String, String> settings) {
    KmsProvider made = new GcpProviderFactory().create(new ProviderSettings(settings));
    opened.add(made);
    return made;
  }

  @Override
  protected KmsProvider provider() {
    return provider;
  }

  @Override
  protected KmsProvider reopened() {
    return open(settings("kek"));
  }

  @Override
  protected KmsProvider otherKey() {
    fake.createKey(RING + "other");
    return open(settings("other"));
  }

  @Override
  protected void rotate() {
    fake.rotate(RING + "kek");
  }

  @Override
  protected void misbehave(Trouble trouble) {
    fake.misbehave(trouble);
  }

  @Override
  protected int connections() {
    return fake.connections();
  }

  @Override
  protected KmsProvider at(String host, int port) {
    Map<String, String> settings = settings("kek");
    settings.put("endpoint", host + ":" + port);
    return open(settings);
  }

  @Test
  void eachWrapAndUnwrapIsOneCallOverOneConnection() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    provider.unwrap(wrapped, TIMEOUT);
    assertThat(fake.calls()).containsExactly("Encrypt", "Decrypt");
    assertThat(fake.connections()).isEqualTo(1);
    assertThat(login.logins()).isEqualTo(1);
  }

  @Test
  void defect5_aRevokedTokenCostsOneCall() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    login.forgetTokens();
    assertThat(provider.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    assertThat(login.logins()).isEqualTo(2);
  }

  @Test
  void aReplacedKeyFileIsReadWithoutARestart() throws IOException {
    Files.writeString(account, "{}");
    assertThat(wrapFails().kind()).isIn(Kind.DENIED, Kind.UNAVAILABLE);
    ServiceAccountFile.write(account, login.address());
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void logsInByWorkloadIdentityFederation() throws IOException {
    login.workloadToken("token-of-the-service-account");
    Path token = directory.resolve("token");
    Files.writeString(token, "token-of-the-service-account");
    account =
        ServiceAccountFile.writeFederation(
            directory.resolve("federation.json"), login.address(), token);
    provider = open(settings("kek"));
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void defect11_theFirstKeyIdNamesTheVersionAndFollowsThePrimaryAtOnce() {
    Wrapped first = provider.wrap(DEK, TIMEOUT);
    assertThat(reopened().wrap(DEK, TIMEOUT).kek()).isEqualTo(first.kek());
    fake.rotate(RING + "kek");
    assertThat(provider.wrap(DEK, TIMEOUT).kek()).isNotEqualTo(first.kek());
  }

  @Test
  void defect12_theKeyIsNeverChosenByWhatIsStored() {
    Wrapped foreign = otherKey().wrap(DEK, TIMEOUT);
    int before = fake.calls().size();
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.unwrap(foreign, TIMEOUT))
        .matches(e -> e.kind() == Kind.UNKNOWN_KEK);
    assertThat(fake.calls()).hasSize(before);
  }

  @Test
  void bytesThatChangedOnTheWayAreNoticed() {
    Wrapped good = provider.wrap(DEK, TIMEOUT);
    fake.changesBytes = true;
    assertThat(wrapFails().describe()).contains("CRC32C");
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.unwrap(good, TIMEOUT))
        .matches(e -> e.describe().contains("CRC32C"));
  }

  @ParameterizedTest
  @CsvSource({"UNAUTHENTICATED, DENIED", "NOT_FOUND, UNKNOWN_KEK"})
  void defect13_errorsAreToldByTheirKindAndPass(Status.Code code, Kind kind) {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    fake.failure = Optional.of(code.toStatus());
    assertThat(wrapFails().kind()).isEqualTo(kind);
    fake.failure = Optional.empty();
    assertThat(provider.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void anAuthorityThatIsNotTrustedIsSaidSo() {
    Map<String, String> settings = settings("kek");
    settings.put("caFile", login.ca().toString());
    provider = open(settings);
    assertThat(wrapFails().describe()).contains("TLS failed");
  }

  @Test
  void reportsStateAndPlannedDestruction() {
    provider.wrap(DEK, TIMEOUT);
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(State.ENABLED);
    assertThat(provider.report(TIMEOUT).credentialsUntil()).isPresent();
    fake.disable(RING + "kek");
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(State.DISABLED);
    assertThat(wrapFails().describe()).contains("enable or restore it");
    Instant end = Instant.parse("2030-01-02T03:04:05Z");
    fake.destroyed = Optional.of(end);
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(State.PENDING_DELETION);
    assertThat(provider.report(TIMEOUT).usableUntil()).contains(end);
    fake.mayRead = false;
    assertThat(provider.report(TIMEOUT).warnings()).anyMatch(w -> w.contains("cloudkms.viewer"));
  }

  @Test
  void aVersionIsNotAKey() {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> open(settings("kek/cryptoKeyVersions/1")));
  }

  @Test
  void noErrorTellsTheKeyFile() throws IOException {
    login.trust(false);
    var text = new StringBuilder();
    for (Throwable t = wrapFails(); t != null; t = t.getCause()) {
      text.append(t).append(t instanceof KmsException e ? e.describe() : "");
    }
    assertThat(text.toString()).doesNotContain("PRIVATE KEY").doesNotContain("eyJ");
    assertThat(Files.readString(account)).contains("PRIVATE KEY");
  }
}
