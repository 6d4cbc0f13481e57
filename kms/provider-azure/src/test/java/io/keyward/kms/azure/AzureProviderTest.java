package io.keyward.kms.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.fakes.FakeKeyVault;
import io.keyward.kms.fakes.FakeMood;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.RemoteKmsContract;
import io.keyward.kms.tck.Trouble;
import io.keyward.testbed.pki.Pki;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract and the defects of other plugins, with Microsoft's SDK against a fake key vault.
final class AzureProviderTest extends RemoteKmsContract {
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
  private static final String VAULT = "https://fakevault.vault.azure.net";
  private static final String HSM = "https://fakehsm.managedhsm.azure.net";
  private static final String SECRET = "the-client-secret-nobody-may-see";

  @TempDir private Path directory;
  private final List<KmsProvider> opened = new ArrayList<>();
  private FakeKeyVault fake;
  private KmsProvider provider;

  /// Loads the SDK, which takes long on a busy machine, before anything is timed.
  @BeforeAll
  static void warmUp(@TempDir Path directory) throws IOException {
    var test = new AzureProviderTest();
    test.directory = directory;
    test.start();
    test.provider.wrap(DEK, Duration.ofMinutes(2));
    test.stop();
  }

  @BeforeEach
  void start() throws IOException {
    fake = FakeKeyVault.start(directory, VAULT);
    fake.createKey("kek");
    fake.clientSecret(SECRET);
    Files.writeString(directory.resolve("secret"), SECRET + "\n");
    provider = open(settings("kek"));
  }

  @AfterEach
  void stop() {
    opened.forEach(KmsProvider::close);
    fake.close();
  }

  private Map<String, String> settings(String key) {
    return new HashMap<>(
        Map.of(
            "vaultUrl",
            VAULT,
            "key",
            key,
            "authentication",
            "clientSecret",
            "tenantId",
            "fake-tenant",
            "clientId",
            "fake-client",
            "clientSecretFile",
            directory.resolve("secret").toString(),
            "authorityHost",
            fake.address().toString(),
            "endpoint",
            fake.address().toString(),
            "caFile",
            fake.ca().toString()));
  }

  private KmsProvider open(Map<String, String> settings) {
    return open(new AzureProviderFactory(), settings);
  }

  private KmsProvider open(AzureProviderFactory factory, Map<String, String> settings) {
    KmsProvider made = factory.create(new ProviderSettings(settings));
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
    fake.createKey("other");
    return open(settings("other"));
  }

  @Override
  protected void rotate() {
    fake.rotate("kek");
  }

  @Override
  protected void misbehave(Trouble trouble) {
    fake.mood(FakeMood.of(trouble));
  }

  @Override
  protected int connections() {
    return fake.connections();
  }

  @Override
  protected KmsProvider at(String host, int port) {
    Map<String, String> settings = settings("kek");
    settings.put("endpoint", "https://" + host + ":" + port);
    return open(settings);
  }

  @Test
  void eachWrapAndUnwrapIsOneCall() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    provider.unwrap(wrapped, TIMEOUT); // both have logged in now
    int before = fake.calls().size();
    Wrapped second = provider.wrap(DEK, TIMEOUT);
    provider.unwrap(wrapped, TIMEOUT);
    provider.unwrap(second, TIMEOUT);
    assertThat(fake.calls().subList(before, fake.calls().size()))
        .hasSize(3)
        .allMatch(call -> call.endsWith("wrapkey"));
  }

  @Test
  void defect5_aRevokedTokenCostsOneCall() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    fake.forgetTokens();
    assertThat(provider.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    fake.forgetTokens();
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void aReplacedClientSecretIsReadWithoutARestart() throws IOException {
    provider.wrap(DEK, TIMEOUT);
    fake.clientSecret("another-secret");
    fake.forgetTokens();
    assertThat(wrapFails().kind()).isEqualTo(Kind.DENIED);
    Files.writeString(directory.resolve("secret"), "another-secret");
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void logsInAsAWorkload() throws IOException {
    fake.clientSecret("");
    fake.workloadToken("token-of-the-service-account");
    Files.writeString(directory.resolve("token"), "token-of-the-service-account");
    Map<String, String> settings = settings("kek");
    settings.put("authentication", "workloadIdentity");
    settings.put("tokenFile", directory.resolve("token").toString());
    provider = open(settings);
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void logsInWithACertificate() throws IOException {
    fake.clientSecret("");
    fake.trustCertificates();
    Path pem = RsaIdentity.write(directory);
    Map<String, String> settings = settings("kek");
    settings.put("authentication", "certificate");
    settings.put("certificateFile", pem.toString());
    provider = open(settings);
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
    assertThat(provider.report(TIMEOUT).credentialsUntil())
        .hasValueSatisfying(end -> assertThat(end).isAfter(Instant.now()));
  }

  @Test
  void logsInAsTheMachine() {
    fake.giveManagedIdentity();
    Map<String, String> settings = settings("kek");
    settings.put("authentication", "managedIdentity");
    provider = open(new AzureProviderFactory(Map.of("169.254.169.254", fake.address())), settings);
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void wrapsWithAesKeysOfAManagedHsm() {
    fake.close();
    fake = FakeKeyVault.start(directory.resolve("hsm"), HSM);
    fake.clientSecret(SECRET);
    fake.createAesKey("kek");
    Map<String, String> settings = settings("kek");
    settings.put("vaultUrl", HSM);
    settings.put("algorithm", "A256KW");
    provider = open(settings);
    Wrapped old = provider.wrap(DEK, TIMEOUT);
    fake.rotate("kek");
    assertThat(provider.wrap(DEK, TIMEOUT).kek()).isNotEqualTo(old.kek());
    assertThat(provider.unwrap(old, TIMEOUT)).isEqualTo(DEK);
  }

  /// A challenge that sends us to another service must not get a token.
  @Test
  void aChallengeForAnotherServiceIsNotFollowed() {
    fake.close();
    fake = FakeKeyVault.start(directory.resolve("hsm"), HSM);
    fake.clientSecret(SECRET);
    fake.createKey("kek");
    Map<String, String> settings = settings("kek");
    // A vault nobody has spoken with yet: the SDK remembers challenges.
    settings.put("vaultUrl", "https://stranger.vault.azure.net");
    provider = open(settings);
    wrapFails();
    assertThat(fake.calls()).noneMatch(call -> call.endsWith("/token"));
  }

  @Test
  void defect14_withoutAPinnedVersionTheNewestIsSeenAtTheNextCall() {
    Wrapped old = provider.wrap(DEK, TIMEOUT);
    fake.rotate("kek");
    Wrapped current = provider.wrap(DEK, TIMEOUT);
    assertThat(current.kek()).isNotEqualTo(old.kek());
    assertThat(provider.unwrap(old, TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void aPinnedVersionStaysAndOldOnesStillOpen() {
    Wrapped first = provider.wrap(DEK, TIMEOUT);
    fake.rotate("kek");
    Map<String, String> settings = settings("kek");
    settings.put("keyVersion", fake.newest("kek"));
    KmsProvider pinned = open(settings);
    Wrapped second = pinned.wrap(DEK, TIMEOUT);
    fake.rotate("kek");
    assertThat(pinned.wrap(DEK, TIMEOUT).kek()).isEqualTo(second.kek()).isNotEqualTo(first.kek());
    assertThat(pinned.unwrap(first, TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void theNewestEnabledVersionWrapsWhenTheNewestIsDisabled() {
    Wrapped old = provider.wrap(DEK, TIMEOUT);
    fake.rotate("kek");
    fake.enable("kek", fake.newest("kek"), false);
    assertThat(provider.wrap(DEK, TIMEOUT).kek()).isEqualTo(old.kek());
    int before = fake.calls().size();
    provider.wrap(DEK, TIMEOUT);
    assertThat(fake.calls().size() - before).as("remembered").isEqualTo(1);
    assertThat(provider.report(TIMEOUT).warnings()).anyMatch(w -> w.contains("an older one wraps"));
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
  void anAuthorityThatIsNotTrustedIsSaidSo() {
    Map<String, String> settings = settings("kek");
    settings.put("caFile", Pki.create(directory.resolve("stranger")).clusterCa().toString());
    provider = open(settings);
    assertThat(wrapFails().describe()).contains("TLS failed");
  }

  @Test
  void aWrongClockIsWarnedOf() {
    assertThat(provider.report(TIMEOUT).warnings()).noneMatch(w -> w.contains("clock"));
    Clock fast = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(2));
    KmsProvider wrong =
        new AzureProviderFactory().create(new ProviderSettings(settings("kek")), fast);
    opened.add(wrong);
    assertThat(wrong.report(TIMEOUT).warnings())
        .anyMatch(w -> w.contains("s ahead of that of the KMS: set it right"));
  }

  @Test
  void reportsStateAndExpiry() {
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(State.ENABLED);
    assertThat(provider.report(TIMEOUT).credentialsUntil()).isPresent();
    Instant end = Instant.parse("2030-01-02T03:04:05Z");
    fake.expires("kek", end);
    assertThat(provider.report(TIMEOUT).usableUntil()).contains(end);
    assertThat(provider.report(TIMEOUT).warnings()).anyMatch(w -> w.contains("purge protection"));
    fake.enable("kek", fake.newest("kek"), false);
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(State.DISABLED);
  }

  @Test
  void aDisabledKeyIsToldWithTheRemedy() {
    fake.enable("kek", fake.newest("kek"), false);
    assertThat(wrapFails())
        .matches(e -> e.kind() == Kind.DENIED)
        .matches(e -> e.describe().contains("enable it"));
  }

  @Test
  void aRoleWithoutUnwrapIsToldWithTheRemedy() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    fake.mayUnwrap(false);
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.unwrap(wrapped, TIMEOUT))
        .matches(e -> e.kind() == Kind.DENIED)
        .matches(e -> e.describe().contains("it needs wrapKey, unwrapKey and get"));
  }

  @Test
  void aKeyOfAnotherTypeIsToldSo() {
    fake.createAesKey("kek");
    assertThat(wrapFails().describe()).contains("does not allow this algorithm");
  }

  @Test
  void noErrorTellsTheClientSecret() {
    fake.clientSecret("replaced");
    var text = new StringBuilder();
    for (Throwable t = wrapFails(); t != null; t = t.getCause()) {
      text.append(t).append(t instanceof KmsException e ? e.describe() : "");
    }
    assertThat(text.toString()).contains("AADSTS7000215").doesNotContain(SECRET);
  }

  @Test
  void addressesOfOneVaultGiveOneKeyId() {
    Map<String, String> settings = settings("kek");
    settings.put("vaultUrl", "https://FakeVault.vault.azure.net");
    assertThat(
            new VaultKey(
                    URI.create(settings.get("vaultUrl")),
                    "kek",
                    java.util.Optional.empty(),
                    com.azure.security.keyvault.keys.cryptography.models.KeyWrapAlgorithm
                        .RSA_OAEP_256)
                .kek()
                .id("1"))
        .isEqualTo(
            new VaultKey(
                    URI.create(VAULT),
                    "kek",
                    java.util.Optional.empty(),
                    com.azure.security.keyvault.keys.cryptography.models.KeyWrapAlgorithm
                        .RSA_OAEP_256)
                .kek()
                .id("1"));
  }
}
