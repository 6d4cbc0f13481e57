package io.keyward.kms.aws;

import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.Setting.Kind;
import java.util.List;

/// Makes the provider `aws`.
public final class AwsProviderFactory implements KmsProviderFactory {
  @Override
  public String name() {
    return AwsProvider.NAME;
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.required(AwsSettings.KEY, Kind.TEXT, "key ARN (best), alias ARN, alias or key id"),
        Setting.optional(AwsSettings.REGION, Kind.TEXT, "region; needed where the key is no ARN"),
        Setting.optional(
            AwsSettings.DECRYPT_REGIONS,
            Kind.TEXT,
            "other regions with replicas of a multi-region key, with commas between"),
        Setting.optional(
            AwsSettings.CONTEXT,
            Kind.TEXT,
            "encryption context, for example cluster=blue,env=prod"),
        Setting.optional(
            AwsSettings.ENDPOINT,
            Kind.TEXT,
            "URL of the endpoint; {region} is replaced with the region"),
        Setting.optional(AwsSettings.FIPS, Kind.TEXT, "true: use FIPS endpoints"),
        Setting.optional(AwsSettings.CA_FILE, Kind.FILE, "CA certificates of the endpoint, in PEM"),
        Setting.optional(
            AwsSettings.CREDENTIALS_FILE, Kind.FILE, "file with profiles, as the AWS CLI has it"),
        Setting.optional(
            AwsSettings.PROFILE, Kind.TEXT, "profile in that file, or in the usual one"),
        Setting.optional(AwsSettings.TOKEN_FILE, Kind.FILE, "web identity token; needs roleArn"),
        Setting.optional(AwsSettings.ROLE, Kind.TEXT, "ARN of the role to assume"),
        Setting.optional(
            AwsSettings.SESSION, Kind.TEXT, "name of the role's session (default: keyward)"),
        Setting.optional(AwsSettings.EXTERNAL_ID, Kind.TEXT, "external id for the role"),
        Setting.optional(AwsSettings.STS_ENDPOINT, Kind.TEXT, "URL of the STS endpoint"),
        Setting.optional(
            AwsSettings.IMDS, Kind.TEXT, "false: never ask the instance metadata service"));
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    return AwsClients.provider(AwsSettings.of(settings));
  }
}
