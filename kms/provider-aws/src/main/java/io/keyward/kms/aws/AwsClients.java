package io.keyward.kms.aws;

import io.keyward.kms.aws.AwsSettings.Identity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSupplier;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.KmsClientBuilder;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.services.sts.auth.StsWebIdentityTokenFileCredentialsProvider;

/// Puts the parts of the SDK together. Nothing here waits for AWS.
final class AwsClients {
  private AwsClients() {}

  static AwsProvider provider(AwsSettings settings) {
    SdkHttpClient http = http(settings);
    return provider(
        settings, http, new RenewableCredentials(() -> source(settings, http)), http::close);
  }

  static AwsProvider provider(
      AwsSettings settings, SdkHttpClient http, RenewableCredentials credentials, Runnable close) {
    var regions = new ArrayList<AwsRegion>();
    for (String region : settings.regions()) {
      regions.add(new AwsRegion(region, kms(settings, region, http, credentials), credentials));
    }
    return new AwsProvider(
        settings.key(), settings.context(), new Regions(regions, close), credentials);
  }

  /// Blocking, on the caller's thread, with a pool that 64 callers do not exhaust. The limits are
  /// only for what was given up: its sockets must not stay for ever.
  private static SdkHttpClient http(AwsSettings settings) {
    var builder =
        Apache5HttpClient.builder()
            .maxConnections(128)
            .connectionTimeout(Duration.ofSeconds(5))
            .connectionAcquisitionTimeout(Duration.ofSeconds(10))
            .socketTimeout(Duration.ofSeconds(10))
            .tcpKeepAlive(true);
    settings
        .caFile()
        .ifPresent(file -> builder.tlsTrustManagersProvider(() -> CaFile.trustManagers(file)));
    return builder.build();
  }

  /// Without retries: the plugin retries, within the time a call has.
  static KmsClient kms(
      AwsSettings settings, String region, SdkHttpClient http, AwsCredentialsProvider credentials) {
    KmsClientBuilder builder =
        KmsClient.builder()
            .httpClient(http)
            .region(Region.of(region))
            .credentialsProvider(credentials)
            .fipsEnabled(settings.fips())
            .overrideConfiguration(each -> each.retryStrategy(AwsRetryStrategy.doNotRetry()));
    settings.endpoint(region).ifPresent(builder::endpointOverride);
    return builder.build();
  }

  static AwsCredentialsProvider source(AwsSettings settings, SdkHttpClient http) {
    Identity identity = settings.identity();
    if (identity.tokenFile().isPresent()) {
      return StsWebIdentityTokenFileCredentialsProvider.builder()
          .stsClient(sts(settings, http, AnonymousCredentialsProvider::create))
          .webIdentityTokenFile(identity.tokenFile().get())
          .roleArn(identity.role().orElseThrow())
          .roleSessionName(identity.session())
          .build();
    }
    AwsCredentialsProvider own = base(identity);
    if (identity.role().isEmpty()) {
      return own;
    }
    String role = identity.role().get();
    return StsAssumeRoleCredentialsProvider.builder()
        .stsClient(sts(settings, http, () -> own))
        .refreshRequest(request ->
            request
                .roleArn(role)
                .roleSessionName(identity.session())
                .externalId(identity.externalId().orElse(null)))
        .build();
  }

  private static AwsCredentialsProvider base(Identity identity) {
    if (identity.credentialsFile().isPresent() || identity.profile().isPresent()) {
      var profile = ProfileCredentialsProvider.builder();
      // Looked at again when it changes.
      profile.profileFile(
          identity
              .credentialsFile()
              .map(file ->
                  ProfileFileSupplier.reloadWhenModified(file, ProfileFile.Type.CREDENTIALS))
              .orElseGet(ProfileFileSupplier::defaultSupplier));
      identity.profile().ifPresent(profile::profileName);
      return profile.build();
    }
    if (identity.imds()) {
      return DefaultCredentialsProvider.builder().build();
    }
    return AwsCredentialsProviderChain.of(
        EnvironmentVariableCredentialsProvider.create(),
        WebIdentityTokenFileCredentialsProvider.create(),
        ProfileCredentialsProvider.create(),
        ContainerCredentialsProvider.create());
  }

  private static StsClient sts(
      AwsSettings settings, SdkHttpClient http, Supplier<AwsCredentialsProvider> credentials) {
    StsClientBuilder builder =
        StsClient.builder()
            .httpClient(http)
            .region(Region.of(settings.regions().getFirst()))
            .fipsEnabled(settings.fips())
            .credentialsProvider(credentials.get())
            .overrideConfiguration(each -> each.retryStrategy(AwsRetryStrategy.doNotRetry()));
    Optional.of(settings.identity())
        .flatMap(Identity::stsEndpoint)
        .ifPresent(builder::endpointOverride);
    return builder.build();
  }
}
