package io.keyward.kms.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.client.ProviderPreflight;
import io.keyward.kms.fakes.FakeMood;
import io.keyward.kms.fakes.FakeProxy;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.RemoteKmsContract;
import io.keyward.kms.tck.Trouble;
import io.keyward.testbed.Moto;
import io.keyward.testbed.pki.Pki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kms.KmsClient;

/// Against moto, which emulates AWS KMS, behind a proxy that gives it TLS and misbehaves. What moto
/// does not enforce is in [AwsAnswersTest].
final class AwsProviderTest extends RemoteKmsContract {
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
  private static final String HOME = "eu-central-1";

  @TempDir private static Path directory;
  private static Moto moto;
  private static FakeProxy proxy;
  private static KmsClient admin;

  private final List<KmsProvider> opened = new ArrayList<>();
  private String key;
  private KmsProvider provider;

  @BeforeAll
  static void startMoto() throws IOException {
    moto = Moto.start(directory.resolve("moto"));
    proxy = FakeProxy.start(directory, moto.url());
    admin = admin(HOME);
    Files.writeString(
        directory.resolve("credentials"),
        "[keyward]\naws_access_key_id = AKIDKEYWARD\naws_secret_access_key = very-secret\n");
  }

  @AfterAll
  static void stopMoto() {
    admin.close();
    proxy.close();
    moto.close();
  }

  private static KmsClient admin(String region) {
    return KmsClient.builder()
        .endpointOverride(moto.url())
        .region(Region.of(region))
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("admin", "admin")))
        .build();
  }

  @BeforeEach
  void createKey() {
    key = admin.createKey().keyMetadata().arn();
    provider = opened(Map.of("key", key));
  }

  @AfterEach
  void close() {
    proxy.mood(FakeMood.GOOD);
    opened.forEach(KmsProvider::close);
  }

  private KmsProvider opened(Map<String, String> settings) {
    KmsProvider made = new AwsProviderFactory().create(complete(settings));
    opened.add(made);
    return made;
  }

  private static ProviderSettings complete(Map<String, String> settings) {
    var all = new HashMap<>(settings);
    all.putIfAbsent("endpoint", proxy.address().toString());
    all.putIfAbsent("caFile", proxy.ca().toString());
    all.putIfAbsent("credentialsFile", directory.resolve("credentials").toString());
    all.putIfAbsent("profile", "keyward");
    return new ProviderSettings(all);
  }

  @Override
  protected KmsProvider provider() {
    return provider;
  }

  @Override
  protected KmsProvider reopened() {
    return opened(Map.of("key", key));
  }

  @Override
  protected KmsProvider otherKey() {
    return opened(Map.of("key", admin.createKey().keyMetadata().arn()));
  }

  @Override
  protected void rotate() {
    admin.rotateKeyOnDemand(request -> request.keyId(key));
  }

  @Override
  protected void misbehave(Trouble trouble) {
    proxy.mood(FakeMood.of(trouble));
  }

  @Override
  protected int connections() {
    return proxy.connections();
  }

  @Override
  protected KmsProvider at(String host, int port) {
    return opened(Map.of("key", key, "endpoint", "https://" + host + ":" + port));
  }

  @Test
  void anAuthorityThatIsNotTrustedIsUnavailable() {
    String stranger = Pki.create(directory.resolve("stranger")).clusterCa().toString();
    KmsProvider misled = opened(Map.of("key", key, "caFile", stranger));
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> misled.wrap(DEK, TIMEOUT))
        .matches(e -> e.kind() == Kind.UNAVAILABLE);
  }

  @Test
  void anAliasIsPinnedAndItsRetargetIsSeen() {
    String alias = "alias/" + java.util.UUID.randomUUID();
    admin.createAlias(request -> request.aliasName(alias).targetKeyId(key));
    KmsProvider byAlias = opened(Map.of("key", alias, "region", HOME));
    Wrapped before = byAlias.wrap(DEK, TIMEOUT);
    assertThat(before.kek()).isEqualTo(provider.wrap(DEK, TIMEOUT).kek());
    assertThat(byAlias.report(TIMEOUT).warnings()).singleElement().asString().contains(key);

    String other = admin.createKey().keyMetadata().arn();
    admin.updateAlias(request -> request.aliasName(alias).targetKeyId(other));
    assertThat(byAlias.wrap(DEK, TIMEOUT).kek()).isEqualTo(before.kek());
    assertThat(byAlias.unwrap(before, TIMEOUT)).isEqualTo(DEK);
    assertThat(byAlias.report(TIMEOUT).warnings())
        .singleElement()
        .asString()
        .contains("now names another key", key);

    // A preflight cannot know the former key, but says how to be safe from this.
    var preflight = new ProviderPreflight(new AwsProviderFactory(), TIMEOUT, TIMEOUT);
    var report = preflight.run("k", complete(Map.of("key", alias, "region", HOME)));
    assertThat(report.keyId()).isNotEqualTo(before.kek().value());
    assertThat(report.kek().warnings())
        .singleElement()
        .asString()
        .contains("configured as " + alias, "configure its ARN " + other);
  }

  @Test
  void anotherEncryptionContextOpensNothing() {
    KmsProvider blue = opened(Map.of("key", key, "encryptionContext", "cluster=blue,env=prod"));
    Wrapped wrapped = blue.wrap(DEK, TIMEOUT);
    assertThat(blue.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.unwrap(wrapped, TIMEOUT))
        .matches(e -> e.kind() == Kind.CORRUPT);
  }

  @Test
  void aReplicaInAnotherRegionReadsWhileTheHomeRegionIsGone() {
    String multi = admin.createKey(request -> request.multiRegion(true)).keyMetadata().arn();
    admin.replicateKey(request -> request.keyId(multi).replicaRegion("eu-west-1"));
    Wrapped wrapped = opened(Map.of("key", multi)).wrap(DEK, TIMEOUT);

    // Its own region first: one key, one id.
    KmsProvider west = opened(Map.of("key", multi, "region", "eu-west-1"));
    assertThat(west.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    assertThat(west.wrap(DEK, TIMEOUT).kek()).isEqualTo(wrapped.kek());

    // Nobody listens at the endpoint of the home region.
    KmsProvider both =
        AwsClientsForTests.withDeadHome(multi, HOME, "eu-west-1", moto.url(), credentials());
    opened.add(both);
    assertThat(both.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> both.wrap(DEK, TIMEOUT))
        .matches(e -> e.kind() == Kind.UNAVAILABLE);
  }

  /// Some calls of moto know keys by their id only.
  private static String id(String arn) {
    return arn.substring(arn.indexOf('/') + 1);
  }

  private static RenewableCredentials credentials() {
    return new RenewableCredentials(
        () -> StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")));
  }

  @Test
  void anAssumedRoleGivesCredentialsWithAnEnd() {
    KmsProvider assumed =
        opened(
            Map.of(
                "key",
                key,
                "roleArn",
                "arn:aws:iam::123456789012:role/keyward",
                "roleSessionName",
                "node-1",
                "stsEndpoint",
                moto.url().toString()));
    assertThat(assumed.unwrap(assumed.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
    assertThat(assumed.report(TIMEOUT).credentialsUntil()).isPresent();
  }

  @Test
  void aWebIdentityTokenIsExchangedForCredentials() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "header.payload.signature");
    KmsProvider federated =
        opened(
            Map.of(
                "key",
                key,
                "webIdentityTokenFile",
                token.toString(),
                "roleArn",
                "arn:aws:iam::123456789012:role/keyward",
                "stsEndpoint",
                moto.url().toString()));
    assertThat(federated.unwrap(federated.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
    assertThat(federated.report(TIMEOUT).credentialsUntil()).isPresent();
  }

  @Test
  void theReportKnowsTheStateOfTheKey() {
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(KekReport.State.ENABLED);
    assertThat(provider.report(TIMEOUT).warnings()).isEmpty();
    admin.disableKey(request -> request.keyId(id(key)));
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(KekReport.State.DISABLED);
    admin.scheduleKeyDeletion(request -> request.keyId(id(key)).pendingWindowInDays(7));
    KekReport report = provider.report(TIMEOUT);
    assertThat(report.state()).isEqualTo(KekReport.State.PENDING_DELETION);
    assertThat(report.usableUntil()).isPresent();
  }

  @Test
  void aMissingKeyIsNamedAsSuch() {
    KmsProvider missing =
        opened(Map.of("key", key.substring(0, key.length() - 12) + "000000000000"));
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> missing.wrap(DEK, TIMEOUT))
        .matches(e -> e.kind() == Kind.UNKNOWN_KEK);
  }

  @Test
  void noCredentialsIsSaidInWords() {
    KmsProvider lost =
        opened(Map.of("key", key, "credentialsFile", directory.resolve("none").toString()));
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> lost.wrap(DEK, TIMEOUT))
        .matches(e -> e.describe().contains("no AWS credentials can be had"));
  }
}
