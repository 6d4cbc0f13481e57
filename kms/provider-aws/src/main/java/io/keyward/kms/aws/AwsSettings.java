package io.keyward.kms.aws;

import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SettingsException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// What was configured, checked as far as that goes without asking AWS.
///
/// @param regions the home region first
record AwsSettings(
    AwsKeyName key,
    List<String> regions,
    Map<String, String> context,
    Optional<String> endpoint,
    boolean fips,
    Optional<Path> caFile,
    Identity identity) {
  static final String KEY = "key";
  static final String REGION = "region";
  static final String DECRYPT_REGIONS = "decryptRegions";
  static final String CONTEXT = "encryptionContext";
  static final String ENDPOINT = "endpoint";
  static final String FIPS = "fips";
  static final String CA_FILE = "caFile";
  static final String CREDENTIALS_FILE = "credentialsFile";
  static final String PROFILE = "profile";
  static final String TOKEN_FILE = "webIdentityTokenFile";
  static final String ROLE = "roleArn";
  static final String SESSION = "roleSessionName";
  static final String EXTERNAL_ID = "externalId";
  static final String STS_ENDPOINT = "stsEndpoint";
  static final String IMDS = "imds";

  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  /// Where credentials come from.
  record Identity(
      Optional<Path> credentialsFile,
      Optional<String> profile,
      Optional<Path> tokenFile,
      Optional<String> role,
      String session,
      Optional<String> externalId,
      Optional<URI> stsEndpoint,
      boolean imds) {}

  static AwsSettings of(ProviderSettings settings) {
    AwsKeyName key;
    try {
      key = new AwsKeyName(settings.requiredText(KEY));
    } catch (IllegalArgumentException e) {
      throw new SettingsException(KEY, String.valueOf(e.getMessage()));
    }
    Optional<String> endpoint = settings.text(ENDPOINT);
    endpoint.ifPresent(url -> url(ENDPOINT, url.replace("{region}", "region")));
    return new AwsSettings(
        key,
        regions(settings, key),
        context(settings.text(CONTEXT).orElse("")),
        endpoint,
        flag(settings, FIPS, false),
        file(settings, CA_FILE),
        identity(settings));
  }

  Optional<URI> endpoint(String region) {
    return endpoint.map(url -> url(ENDPOINT, url.replace("{region}", region)));
  }

  private static List<String> regions(ProviderSettings settings, AwsKeyName key) {
    var regions = new ArrayList<String>();
    Optional<String> given = settings.text(REGION);
    regions.add(
        given
            .or(key::region)
            .orElseThrow(() ->
                new SettingsException(
                    REGION, "is needed, because the key is not given by its ARN")));
    if (key.isKeyArn()
        && !key.isMultiRegion()
        && !key.region().equals(Optional.of(regions.get(0)))) {
      throw new SettingsException(REGION, "is not the region of the key's ARN");
    }
    for (String region : settings.text(DECRYPT_REGIONS).orElse("").split(",", 32)) {
      if (!region.isBlank() && !regions.contains(region.strip())) {
        regions.add(region.strip());
      }
    }
    if (regions.size() > 1 && !key.isMultiRegion()) {
      throw new SettingsException(
          DECRYPT_REGIONS, "works only for the ARN of a multi-region key (mrk-…)");
    }
    return regions;
  }

  private static Map<String, String> context(String text) {
    var context = new TreeMap<String, String>();
    for (String pair : Arrays.asList(text.split(",", 64))) {
      if (pair.isBlank()) {
        continue;
      }
      String[] parts = pair.split("=", 2);
      if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
        throw new SettingsException(CONTEXT, "must look like name=value,name=value");
      }
      context.put(parts[0].strip(), parts[1].strip());
    }
    return context;
  }

  private static Identity identity(ProviderSettings settings) {
    var identity =
        new Identity(
            file(settings, CREDENTIALS_FILE),
            settings.text(PROFILE),
            file(settings, TOKEN_FILE),
            settings.text(ROLE),
            settings.text(SESSION).orElse("keyward"),
            settings.text(EXTERNAL_ID),
            settings.text(STS_ENDPOINT).map(url -> url(STS_ENDPOINT, url)),
            flag(settings, IMDS, true));
    if (identity.tokenFile().isPresent() && identity.role().isEmpty()) {
      throw new SettingsException(ROLE, "is needed with webIdentityTokenFile");
    }
    return identity;
  }

  private static Optional<Path> file(ProviderSettings settings, String name) {
    return settings.text(name).map(_ -> settings.requiredFile(name));
  }

  private static boolean flag(ProviderSettings settings, String name, boolean otherwise) {
    return switch (settings.text(name).orElse(Boolean.toString(otherwise))) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new SettingsException(name, "must be true or false");
    };
  }

  private static URI url(String setting, String url) {
    try {
      var parsed = new URI(url);
      boolean local = "http".equals(parsed.getScheme()) && LOOPBACK.contains(parsed.getHost());
      if (parsed.getHost() != null && (local || "https".equals(parsed.getScheme()))) {
        return parsed;
      }
    } catch (URISyntaxException e) {
      throw new SettingsException(setting, "is not a URL: " + url);
    }
    throw new SettingsException(setting, "must begin with https:// and name a host: " + url);
  }
}
