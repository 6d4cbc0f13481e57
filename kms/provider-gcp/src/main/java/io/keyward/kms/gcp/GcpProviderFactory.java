package io.keyward.kms.gcp;

import io.keyward.kms.remote.HttpsAddress;
import io.keyward.kms.remote.TrustedCa;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.Setting.Kind;
import io.keyward.kms.spi.SettingsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes the provider `gcp`.
public final class GcpProviderFactory implements KmsProviderFactory {
  static final String NAME = "gcp";

  private static final String KEY = "key";
  private static final String CREDENTIALS = "credentialsFile";
  private static final String ENDPOINT = "endpoint";
  private static final String CA = "caFile";
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("([a-zA-Z0-9.-]{1,253})(?::([0-9]{1,5}))?");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.required(
            KEY, Kind.TEXT, "projects/…/locations/…/keyRings/…/cryptoKeys/…, without a version"),
        Setting.optional(
            CREDENTIALS,
            Kind.FILE,
            "key file of a service account, or a configuration of workload identity federation"
                + " (default: application default credentials)"),
        Setting.optional(
            ENDPOINT, Kind.TEXT, "HOST[:PORT] to connect to (default: cloudkms.googleapis.com)"),
        Setting.optional(CA, Kind.FILE, "PEM file of the authorities to trust, and no others"));
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    CloudKey key;
    try {
      key = new CloudKey(settings.requiredText(KEY));
    } catch (IllegalArgumentException e) {
      throw new SettingsException(KEY, String.valueOf(e.getMessage()));
    }
    String endpoint = settings.text(ENDPOINT).orElse("cloudkms.googleapis.com");
    Matcher place = HOST_AND_PORT.matcher(endpoint);
    if (!place.matches()) {
      throw new SettingsException(ENDPOINT, "must be HOST or HOST:PORT: " + endpoint);
    }
    int port = place.group(2) == null ? 443 : Integer.parseInt(place.group(2));
    Optional<TrustedCa> ca = HttpsAddress.authorities(settings, CA);
    Optional<Path> file = settings.text(CREDENTIALS).map(_ -> settings.requiredFile(CREDENTIALS));
    var credentials = new FreshCredentials(file, TrustedCa.context(ca).getSocketFactory());
    String host = place.group(1);
    return new GcpProvider(key, host, new CloudKms(host, port, ca, credentials), credentials);
  }
}
