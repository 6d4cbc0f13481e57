package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.Settings;
import io.keyward.kms.spi.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// What was configured, checked as far as that goes without asking the HSM.
record Pkcs11Settings(
    Path module,
    Optional<String> tokenLabel,
    Optional<Long> slot,
    LabelPattern key,
    Path pinFile,
    Duration reload) {
  static final String MODULE = "module";
  static final String TOKEN_LABEL = "tokenLabel";
  static final String SLOT = "slot";
  static final String KEY_LABEL = "keyLabel";
  static final String PIN_FILE = "pinFile";
  static final String RELOAD = "reloadInterval";

  static Pkcs11Settings of(Settings settings) {
    Path module = settings.requiredFile(MODULE);
    if (!module.isAbsolute() || module.toString().contains("\"")) {
      throw new SettingsException(MODULE, "must be an absolute path without quotes");
    }
    Optional<String> label = settings.text(TOKEN_LABEL);
    Optional<Long> slot = settings.text(SLOT).map(Pkcs11Settings::number);
    if (label.isPresent() == slot.isPresent()) {
      throw new SettingsException(TOKEN_LABEL, "or 'slot' is needed, and not both");
    }
    Duration reload = settings.duration(RELOAD, Duration.ofSeconds(10));
    if (reload.toMillis() < 100) {
      throw new SettingsException(RELOAD, "must be at least 100ms");
    }
    try {
      var key = new LabelPattern(settings.requiredText(KEY_LABEL));
      return new Pkcs11Settings(module, label, slot, key, settings.requiredFile(PIN_FILE), reload);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(KEY_LABEL, String.valueOf(e.getMessage()));
    }
  }

  private static long number(String text) {
    if (!text.matches("[0-9]{1,18}")) {
      throw new SettingsException(SLOT, "must be the id of a slot, a number: " + text);
    }
    return Long.parseLong(text);
  }
}
