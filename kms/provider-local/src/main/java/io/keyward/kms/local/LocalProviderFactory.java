package io.keyward.kms.local;

import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.Setting.Kind;
import io.keyward.kms.spi.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Makes the provider `local`.
public final class LocalProviderFactory implements KmsProviderFactory {
  private static final String KEYSTORE = "keystore";
  private static final String PASSWORD_FILE = "passwordFile";
  private static final String KEY = "key";
  private static final String RELOAD = "reloadInterval";

  @Override
  public String name() {
    return KeyVersion.PROVIDER;
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.required(KEYSTORE, Kind.FILE, "PKCS#12 file made by 'keyward keystore create'"),
        Setting.required(PASSWORD_FILE, Kind.FILE, "file whose first line is its password"),
        Setting.optional(KEY, Kind.TEXT, "name of the key in the key store (default: default)"),
        Setting.optional(RELOAD, Kind.DURATION, "how often the file is looked at (default: 2s)"));
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    Path path = settings.requiredFile(KEYSTORE);
    Duration reload = settings.duration(RELOAD, Duration.ofSeconds(2));
    if (reload.toMillis() < 10) {
      throw new SettingsException(RELOAD, "must be at least 10ms");
    }
    try {
      var password = Password.read(settings.requiredFile(PASSWORD_FILE));
      var name = new KeyName(settings.text(KEY).orElse("default"));
      return new LocalProvider(new KeySource(path, new KeyStoreFile(path, password), name, reload));
    } catch (PasswordProblem e) {
      throw new SettingsException(PASSWORD_FILE, e.problem());
    } catch (KeyStoreProblem e) {
      throw new SettingsException(KEYSTORE, e.problem() + "; " + e.remedy());
    } catch (IllegalArgumentException e) {
      throw new SettingsException(KEY, String.valueOf(e.getMessage()));
    }
  }
}
