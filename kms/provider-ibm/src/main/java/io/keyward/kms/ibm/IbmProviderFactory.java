package io.keyward.kms.ibm;

import io.keyward.kms.remote.HttpsAddress;
import io.keyward.kms.remote.TrustedCa;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SecretFile;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.Setting.Kind;
import io.keyward.kms.spi.SettingsException;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// Makes the provider `ibm`.
public final class IbmProviderFactory implements KmsProviderFactory {
  static final String NAME = "ibm";

  private static final String URL = "url";
  private static final String INSTANCE = "instanceId";
  private static final String KEY = "keyId";
  private static final String LIST = "keyListFile";
  private static final String API_KEY = "apiKeyFile";
  private static final String PROFILE = "profileId";
  private static final String TOKEN = "tokenFile";
  private static final String IAM = "iamUrl";
  private static final String CA = "caFile";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.optional(
            URL, Kind.TEXT, "address of the service, https://REGION.kms.cloud.ibm.com or an HPCS"),
        Setting.optional(INSTANCE, Kind.TEXT, "id of the service instance"),
        Setting.optional(KEY, Kind.TEXT, "id of the root key; aliases are refused"),
        Setting.optional(
            LIST,
            Kind.FILE,
            "JSON list of root keys as HyperShift writes it, instead of the above"),
        Setting.optional(API_KEY, Kind.FILE, "file with an IAM API key"),
        Setting.optional(PROFILE, Kind.TEXT, "id of a trusted profile, Profile-..."),
        Setting.optional(TOKEN, Kind.FILE, "file with the token of the compute resource"),
        Setting.optional(IAM, Kind.TEXT, "address of IAM (default: https://iam.cloud.ibm.com)"),
        Setting.optional(CA, Kind.FILE, "PEM file of the authorities to trust, and no others"));
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    return create(settings, Clock.systemUTC());
  }

  /// On a machine with this clock.
  static KmsProvider create(ProviderSettings settings, Clock clock) {
    KeyList list = keys(settings);
    Optional<TrustedCa> ca = HttpsAddress.authorities(settings, CA);
    URI iam = HttpsAddress.of(IAM, settings.text(IAM).orElse("https://iam.cloud.ibm.com"));
    Optional<String> profile = settings.text(PROFILE);
    if (profile.isPresent() == settings.text(API_KEY).isPresent()) {
      throw new SettingsException(
          API_KEY, "give either this, or " + PROFILE + " and " + TOKEN + ": one way to log in");
    }
    var credential = new SecretFile(settings.requiredFile(profile.isPresent() ? TOKEN : API_KEY));
    var http = new Http(ca);
    return new IbmProvider(
        http, new Tokens(new IamLogin(http, iam, credential, profile), clock), list, clock);
  }

  private static KeyList keys(ProviderSettings settings) {
    if (settings.text(LIST).isPresent()) {
      for (String other : List.of(URL, INSTANCE, KEY)) {
        if (settings.text(other).isPresent()) {
          throw new SettingsException(other, "is already said by " + LIST);
        }
      }
      try {
        return KeyList.in(settings.requiredFile(LIST));
      } catch (KmsException e) {
        throw new SettingsException(LIST, e.describe());
      }
    }
    URI url = HttpsAddress.of(URL, settings.requiredText(URL));
    try {
      return KeyList.of(
          new RootKey(url, settings.requiredText(INSTANCE), settings.requiredText(KEY), ""));
    } catch (IllegalArgumentException e) {
      throw new SettingsException(KEY, String.valueOf(e.getMessage()));
    }
  }
}
