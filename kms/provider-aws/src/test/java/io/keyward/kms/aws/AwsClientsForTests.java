package io.keyward.kms.aws;

import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.ProviderSettings;
import java.net.URI;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/// Providers with parts that settings cannot give.
final class AwsClientsForTests {
  private AwsClientsForTests() {}

  /// With a home region where nobody listens.
  static KmsProvider withDeadHome(
      String key, String home, String other, URI alive, RenewableCredentials credentials) {
    SdkHttpClient http = Apache5HttpClient.create();
    AwsSettings dead =
        AwsSettings.of(new ProviderSettings(Map.of("key", key, "endpoint", "http://127.0.0.1:1")));
    AwsSettings living =
        AwsSettings.of(new ProviderSettings(Map.of("key", key, "endpoint", alive.toString())));
    var regions =
        List.of(
            new AwsRegion(home, AwsClients.kms(dead, home, http, credentials), credentials),
            new AwsRegion(other, AwsClients.kms(living, other, http, credentials), credentials));
    return new AwsProvider(
        new AwsKeyName(key), Map.of(), new Regions(regions, http::close), credentials);
  }
}
