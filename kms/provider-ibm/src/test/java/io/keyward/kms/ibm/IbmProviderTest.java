package io.keyward.kms.ibm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.fakes.FakeKeyProtect;
import io.keyward.kms.fakes.FakeMood;
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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The contract and the defects of other plugins, against a fake of Key Protect.
final class IbmProviderTest extends RemoteKmsContract {
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
  private static final String INSTANCE = UUID.randomUUID().toString();
  private static final String API_KEY = "the-api-key-nobody-may-see";

  @TempDir private Path directory;
  private final List<KmsProvider> opened = new ArrayList<>();
  private FakeKeyProtect fake;
  private String key;
  private KmsProvider provider;

  @BeforeEach
  void start() throws IOException {
    fake = FakeKeyProtect.start(directory);
    fake.apiKey(API_KEY);
    Files.writeString(directory.resolve("api-key"), API_KEY + "\n");
    key = fake.createKey(INSTANCE);
    provider = open(settings(key));
  }

  @AfterEach
  void stop() {
    opened.forEach(KmsProvider::close);
    fake.close();
  }

  private Map<String, String> settings(String id) {
    return new HashMap<>(
        Map.of(
            "url", fake.address().toString(),
            "iamUrl", fake.address().toString(),
            "instanceId", INSTANCE,
            "keyId", id,
            "apiKeyFile", directory.resolve("api-key").toString(),
            "caFile", fake.ca().toString()));
  }

  private KmsProvider open(Map<String, String> settings) {
    KmsProvider made = new IbmProviderFactory().create(new ProviderSettings(settings));
    opened.add(made);
    return made;
  }

  @Override
  protected KmsProvider provider() {
    return provider;
  }

  @Override
  protected KmsProvider reopened() {
    return open(settings(key));
  }

  @Override
  protected KmsProvider otherKey() {
    return open(settings(fake.createKey(INSTANCE)));
  }

  @Override
  protected void rotate() {
    fake.rotate(key);
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
    Map<String, String> settings = settings(key);
    settings.put("url", "https://" + host + ":" + port);
    return open(settings);
  }

  @Test
  void eachWrapAndUnwrapIsOneCall() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT); // logs in
    int before = fake.calls().size();
    Wrapped second = provider.wrap(DEK, TIMEOUT);
    assertThat(fake.calls().size() - before).isEqualTo(1);
    provider.unwrap(wrapped, TIMEOUT);
    provider.unwrap(second, TIMEOUT);
    assertThat(fake.calls().size() - before).isEqualTo(3);
  }

  @Test
  void defect5_aRevokedTokenCostsOneCall() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    fake.forgetTokens();
    assertThat(provider.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    assertThat(fake.calls().stream().filter(c -> c.endsWith("/token"))).hasSize(2);
  }

  @Test
  void aTokenIsRenewedAtHalfItsLifeWhileCallsGoOn() throws InterruptedException {
    fake.tokenLife(2);
    KmsProvider fresh = reopened();
    fresh.wrap(DEK, TIMEOUT);
    Thread.sleep(1200);
    fresh.wrap(DEK, TIMEOUT); // begins the renewal, and does not wait for it
    Thread.sleep(1200); // the first token is over now
    int before = fake.calls().size();
    fresh.wrap(DEK, TIMEOUT);
    assertThat(fake.calls().subList(before, fake.calls().size()))
        .filteredOn(call -> call.contains("/actions/"))
        .hasSize(1);
  }

  @Test
  void aReplacedApiKeyIsReadWithoutARestart() throws IOException {
    provider.wrap(DEK, TIMEOUT);
    fake.apiKey("another-api-key");
    fake.forgetTokens();
    assertThat(wrapFails().kind()).isEqualTo(Kind.DENIED);
    Files.writeString(directory.resolve("api-key"), "another-api-key");
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void actsAsATrustedProfile() throws IOException {
    fake.computeToken("token-of-the-pod");
    Files.writeString(directory.resolve("pod-token"), "token-of-the-pod");
    Map<String, String> settings = settings(key);
    settings.remove("apiKeyFile");
    settings.put("profileId", "Profile-" + UUID.randomUUID());
    settings.put("tokenFile", directory.resolve("pod-token").toString());
    KmsProvider profiled = open(settings);
    assertThat(profiled.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void takesAKeyListAsHyperShiftWritesIt() throws IOException {
    Wrapped old = provider.wrap(DEK, TIMEOUT);
    String newer = fake.createKey(INSTANCE);
    Path list = directory.resolve("keys.json");
    Files.writeString(list, "{\"1\":" + entry(key) + "}");
    Map<String, String> settings = settings(key);
    List.of("url", "instanceId", "keyId").forEach(settings::remove);
    settings.put("keyListFile", list.toString());
    KmsProvider listed = open(settings);
    assertThat(listed.wrap(DEK, TIMEOUT).kek()).isEqualTo(old.kek());
    // Numbers, not texts: 10 is newer than 9.
    Files.writeString(list, "{\"10\":" + entry(newer) + ",\"9\":" + entry(key) + "}");
    Files.setLastModifiedTime(
        list, java.nio.file.attribute.FileTime.from(Instant.now().plusSeconds(5)));
    assertThat(listed.wrap(DEK, TIMEOUT).kek())
        .isEqualTo(open(settings(newer)).wrap(DEK, TIMEOUT).kek());
    assertThat(listed.unwrap(old, TIMEOUT)).isEqualTo(DEK);
    Files.writeString(list, "{\"10\":");
    assertThat(listed.unwrap(old, TIMEOUT)).isEqualTo(DEK); // the last good list counts
  }

  private String entry(String id) {
    return "{\"crkID\":\"%s\",\"instanceID\":\"%s\",\"correlationID\":\"c-1\",\"url\":\"%s\",\"serviceToService\":false}"
        .formatted(id, INSTANCE, fake.address());
  }

  @Test
  void defect10_anAliasIsRefusedBecauseItCanBeRetargeted() {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> open(settings("my-alias")))
        .matches(e -> e.problem().contains("not by an alias"));
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
    Map<String, String> settings = settings(key);
    settings.remove("caFile");
    provider = open(settings);
    assertThat(wrapFails().describe()).contains("TLS failed");
  }

  @Test
  void reportsStateExpiryAndPlannedDeletion() {
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(State.ENABLED);
    assertThat(provider.report(TIMEOUT).credentialsUntil()).isPresent();
    Instant end = Instant.parse("2030-01-02T03:04:05Z");
    fake.expires(key, end);
    assertThat(provider.report(TIMEOUT).usableUntil()).contains(end);
    fake.setForDeletion(key);
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(State.PENDING_DELETION);
    assertThat(provider.report(TIMEOUT).warnings()).isNotEmpty();
  }

  @Test
  void aWrongClockIsWarnedOf() {
    assertThat(at(Duration.ZERO).report(TIMEOUT).warnings()).isEmpty();
    assertThat(at(Duration.ofMinutes(-2)).report(TIMEOUT).warnings())
        .singleElement()
        .asString()
        .contains("s behind that of the KMS: set it right");
  }

  /// A provider on a machine whose clock is wrong by so much.
  private KmsProvider at(Duration wrong) {
    Clock clock = Clock.offset(Clock.systemUTC(), wrong);
    KmsProvider made = IbmProviderFactory.create(new ProviderSettings(settings(key)), clock);
    opened.add(made);
    return made;
  }

  @ParameterizedTest
  @CsvSource({"2, DENIED, enable it", "5, UNKNOWN_KEK, restore it"})
  void aKeyThatMayNotBeUsedIsToldWithTheRemedy(int state, Kind kind, String remedy) {
    fake.state(key, state);
    assertThat(wrapFails())
        .matches(e -> e.kind() == kind)
        .matches(e -> e.describe().contains(remedy));
  }

  @Test
  void aPolicyWithoutUnwrapIsToldAtTheFirstUnwrap() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    fake.mayUnwrap(false);
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.unwrap(wrapped, TIMEOUT))
        .matches(e -> e.kind() == Kind.DENIED);
  }

  @Test
  void noErrorTellsTheApiKey() {
    fake.apiKey("replaced");
    var text = new StringBuilder();
    for (Throwable t = wrapFails(); t != null; t = t.getCause()) {
      text.append(t).append(t instanceof KmsException e ? e.describe() : "");
    }
    assertThat(text.toString()).contains("BXNIM0415E").doesNotContain(API_KEY);
  }
}
