package io.keyward.kms.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.kms.client.ProviderPreflight;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.SettingsException;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/// Answers that moto never gives, from a stub of the SDK's HTTP layer.
final class AwsAnswersTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String ARN = "arn:aws:kms:eu-central-1:123456789012:key/11111111-2222";
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));

  private final FakeAwsHttp aws = new FakeAwsHttp();

  private KmsProvider provider(String... accessKeys) {
    Iterator<String> keys = List.of(accessKeys).iterator();
    var credentials =
        new RenewableCredentials(() ->
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(keys.hasNext() ? keys.next() : "last", "secret-words")));
    AwsSettings settings = AwsSettings.of(new ProviderSettings(Map.of("key", ARN)));
    return AwsClients.provider(settings, aws, credentials, () -> {});
  }

  private static String dataKey(String more) {
    String bytes = Base64.getEncoder().encodeToString(new byte[32]);
    return "{\"KeyId\":\"%s\",\"Plaintext\":\"%s\",\"CiphertextBlob\":\"%s\"%s}"
        .formatted(ARN, bytes, bytes, more);
  }

  @ParameterizedTest
  @CsvSource({
    "400, DisabledException, DENIED, the key is disabled",
    "400, KMSInvalidStateException, DENIED, pending deletion",
    "400, AccessDeniedException, DENIED, words of AWS",
    "400, InvalidKeyUsageException, DENIED, not a symmetric key",
    "400, NotFoundException, UNKNOWN_KEK, no such key",
    "400, IncorrectKeyException, CORRUPT, configured key",
    "400, InvalidCiphertextException, CORRUPT, configured key",
    "400, ThrottlingException, THROTTLED, fewer calls",
    "400, LimitExceededException, THROTTLED, fewer calls",
    "403, SignatureDoesNotMatch, DENIED, clock",
    "403, ExpiredTokenException, DENIED, credentials",
    "500, KMSInternalException, UNAVAILABLE, not available",
    "503, DependencyTimeoutException, UNAVAILABLE, not available",
    "418, Teapot, INTERNAL, Teapot"
  })
  void failuresHaveAKindAndAReason(int status, String type, Kind kind, String words) {
    aws.thenError(status, type);
    var e = catchThrowableOfType(KmsException.class, () -> provider("a").wrap(DEK, TIMEOUT));
    assertThat(e.kind()).isEqualTo(kind);
    assertThat(e.describe()).contains(words, "kms:GenerateDataKey", type);
    assertThat(e.describe()).doesNotContain("secret-words");
    assertThat(aws.calls()).isEqualTo(type.startsWith("Expired") ? 2 : 1);
  }

  @Test
  void deniedAccessNamesTheActionAndTheTagThatMayBeMissing() {
    aws.then(200, dataKey(",\"KeyMaterialId\":\"abc\"")).thenError(400, "AccessDeniedException");
    KmsProvider provider = provider("a");
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    var e = catchThrowableOfType(KmsException.class, () -> provider.unwrap(wrapped, TIMEOUT));
    assertThat(e.details().get(KmsException.HINT)).contains("allow kms:Decrypt", "ResourceTag");
  }

  @ParameterizedTest
  @CsvSource({
    "400, AccessDeniedException, unwrap, words of AWS, allow kms:Decrypt in the key policy",
    "400, AccessDeniedException, unwrap, kms:Decrypt, give the key that tag",
    "400, InvalidKeyUsageException, first wrap, not a symmetric key for encryption, this key",
    "403, SignatureDoesNotMatch, first wrap, check this machine's clock, clock is right",
    "400, NotFoundException, first wrap, no such key, an alias may point elsewhere"
  })
  void aPreflightExplainsTheUsualMistakes(
      int status, String type, String step, String detail, String remedy) {
    if (step.equals("unwrap")) {
      aws.then(200, dataKey(",\"KeyMaterialId\":\"abc\""));
    }
    aws.thenError(status, type);
    var preflight = new ProviderPreflight(factory(), TIMEOUT, TIMEOUT);
    var report = preflight.run("k", new ProviderSettings(Map.of()));
    var finding = report.finding().orElseThrow();
    assertThat(finding.words()).startsWith(step + " failed: ");
    assertThat(finding.detail()).contains(detail);
    assertThat(finding.remedy()).contains(remedy);
  }

  /// Makes the provider with the fake in place of the network.
  private KmsProviderFactory factory() {
    return new KmsProviderFactory() {
      @Override
      public String name() {
        return "aws";
      }

      @Override
      public List<Setting> settings() {
        return List.of();
      }

      @Override
      public KmsProvider create(ProviderSettings settings) {
        return provider("a");
      }
    };
  }

  @Test
  void credentialsThatWereRefusedAreRenewedOnce() {
    aws.thenError(400, "ExpiredTokenException").then(200, dataKey(",\"KeyMaterialId\":\"abc\""));
    provider("old", "new").wrap(DEK, TIMEOUT);
    assertThat(aws.accessKeys).containsExactly("old", "new");
  }

  @Test
  void theSameCredentialsAreNotTriedAgain() {
    aws.thenError(400, "UnrecognizedClientException");
    KmsProvider provider = provider("same", "same");
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.wrap(DEK, TIMEOUT))
        .matches(e -> e.kind() == Kind.DENIED);
    assertThat(aws.calls()).isEqualTo(1);
  }

  @Test
  void afterThrottlingCallsWaitOrAreRefusedWithoutACall() {
    aws.thenError(400, "ThrottlingException");
    KmsProvider provider = provider("a");
    assertThatExceptionOfType(KmsException.class).isThrownBy(() -> provider.wrap(DEK, TIMEOUT));
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.wrap(DEK, Duration.ofMillis(5)))
        .matches(e -> e.kind() == Kind.THROTTLED || e.kind() == Kind.TIMEOUT);
    assertThat(aws.calls()).isEqualTo(1);
  }

  @Test
  void aKmsThatDoesNotNameKeyMaterialWorksAndIsWarnedOf() {
    aws.then(200, dataKey(""));
    KmsProvider provider = provider("a");
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    assertThat(provider.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    aws.then(
        200,
        "{\"KeyMetadata\":{\"KeyId\":\"1\",\"Arn\":\"" + ARN + "\",\"KeyState\":\"Enabled\"}}");
    provider.wrap(DEK, TIMEOUT); // takes the last of the answers before
    assertThat(provider.report(TIMEOUT).warnings())
        .singleElement()
        .asString()
        .contains("rotations are not detected");
  }

  @Test
  void aWrongClockIsWarnedOf() {
    aws.then(
        200,
        "{\"KeyMetadata\":{\"KeyId\":\"1\",\"Arn\":\"" + ARN + "\",\"KeyState\":\"Enabled\"}}");
    assertThat(provider("a").report(TIMEOUT).warnings()).isEmpty();
    aws.date = "Sat, 01 Jan 2000 00:00:00 GMT";
    assertThat(provider("a").report(TIMEOUT).warnings())
        .singleElement()
        .asString()
        .contains("s ahead of that of the KMS: set it right");
  }

  @Test
  void keyMaterialOtherThanTheKeyIdSaysIsRefused() {
    aws.then(200, dataKey(",\"KeyMaterialId\":\"abc\""))
        .then(200, dataKey(",\"KeyMaterialId\":\"def\""));
    KmsProvider provider = provider("a");
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.unwrap(wrapped, TIMEOUT))
        .matches(e -> e.kind() == Kind.CORRUPT);
  }

  @Test
  void anAnswerOfAnotherKeyIsNotUsed() {
    aws.then(200, dataKey("").replace("11111111", "99999999"));
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider("a").wrap(DEK, TIMEOUT))
        .withMessageContaining("another key answered");
  }

  @ParameterizedTest
  @CsvSource({
    "key, not a key, key",
    "endpoint, http://kms.example.org, endpoint",
    "endpoint, nonsense, endpoint",
    "region, us-east-1, region",
    "decryptRegions, us-east-1, decryptRegions",
    "fips, yes, fips",
    "encryptionContext, blue, encryptionContext",
    "webIdentityTokenFile, /token, roleArn"
  })
  void settingsThatCannotWorkAreRefused(String setting, String value, String named) {
    var settings = new java.util.HashMap<>(Map.of("key", ARN));
    settings.put(setting, value);
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> new AwsProviderFactory().create(new ProviderSettings(settings)))
        .matches(e -> e.setting().equals(named));
  }
}
