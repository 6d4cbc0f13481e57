package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// What was configured, checked as far as that goes without asking the HSM.
record Pkcs11Settings(
    Path module,
    TokenChoice token,
    Optional<Long> slot,
    KeyChoice key,
    boolean keyWrap,
    Path pinFile,
    Duration reload) {
  static final String MODULE = "module";
  static final String TOKEN_LABEL = "tokenLabel";
  static final String TOKEN_SERIAL = "tokenSerial";
  static final String SLOT = "slot";
  static final String KEY_LABEL = "keyLabel";
  static final String KEY_ID = "keyId";
  static final String MECHANISM = "mechanism";
  static final String PIN_FILE = "pinFile";
  static final String RELOAD = "reloadInterval";

  static Pkcs11Settings of(ProviderSettings settings) {
    Path module = settings.requiredFile(MODULE);
    if (!module.isAbsolute() || module.toString().contains("\"")) {
      throw new SettingsException(MODULE, "must be an absolute path without quotes");
    }
    var token = new TokenChoice(settings.text(TOKEN_LABEL), settings.text(TOKEN_SERIAL));
    Optional<Long> slot = settings.text(SLOT).map(Pkcs11Settings::number);
    if (token.isEmpty() == slot.isEmpty()) {
      throw new SettingsException(
          TOKEN_LABEL, "or 'tokenSerial', or 'slot' without them, is needed");
    }
    Duration reload = settings.duration(RELOAD, Duration.ofSeconds(10));
    if (reload.toMillis() < 100) {
      throw new SettingsException(RELOAD, "must be at least 100ms");
    }
    return new Pkcs11Settings(
        module,
        token,
        slot,
        key(settings),
        isKeyWrap(settings.text(MECHANISM).orElse("AES-GCM")),
        settings.requiredFile(PIN_FILE),
        reload);
  }

  private static KeyChoice key(ProviderSettings settings) {
    Optional<String> label = settings.text(KEY_LABEL);
    Optional<String> id = settings.text(KEY_ID);
    if (label.isPresent() == id.isPresent()) {
      throw new SettingsException(KEY_LABEL, "or '" + KEY_ID + "' is needed, and not both");
    }
    try {
      return label.isPresent()
          ? new KeyChoice.ByLabel(label.get())
          : KeyChoice.ById.parse(id.orElseThrow());
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          label.isPresent() ? KEY_LABEL : KEY_ID, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isKeyWrap(String mechanism) {
    return switch (mechanism) {
      case "AES-GCM" -> false;
      case "AES-KEY-WRAP" -> true;
      default -> throw new SettingsException(MECHANISM, "must be AES-GCM or AES-KEY-WRAP");
    };
  }

  private static long number(String text) {
    if (!text.matches("[0-9]{1,18}")) {
      throw new SettingsException(SLOT, "must be the id of a slot, a number: " + text);
    }
    return Long.parseLong(text);
  }
}
