package io.keyward.kms.remote;

import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SettingsException;
import java.net.URI;
import java.util.Optional;

/// What settings of providers that speak HTTPS have in common.
public final class HttpsAddress {
  private HttpsAddress() {}

  /// Checks how an address is written.
  ///
  /// @throws SettingsException unless it begins with `https://` and names a host
  public static URI of(String setting, String value) {
    try {
      URI uri = URI.create(value);
      if ("https".equals(uri.getScheme()) && uri.getHost() != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw new SettingsException(setting, "is not an address: " + value);
    }
    throw new SettingsException(setting, "must begin with https://: " + value);
  }

  /// The authorities in the file that a setting names, where it does.
  public static Optional<TrustedCa> authorities(ProviderSettings settings, String setting) {
    return settings.text(setting).map(_ -> TrustedCa.of(setting, settings.requiredFile(setting)));
  }
}
