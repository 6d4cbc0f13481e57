package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.Setting.Kind;
import java.util.List;

/// Makes the provider `pkcs11`.
public final class Pkcs11ProviderFactory implements KmsProviderFactory {
  private final RefusedPins refused = new RefusedPins();

  @Override
  public String name() {
    return Pkcs11Provider.NAME;
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.required(Pkcs11Settings.MODULE, Kind.FILE, "the HSM's PKCS#11 library"),
        Setting.optional(Pkcs11Settings.TOKEN_LABEL, Kind.TEXT, "label of the token"),
        Setting.optional(Pkcs11Settings.TOKEN_SERIAL, Kind.TEXT, "serial number of the token"),
        Setting.optional(
            Pkcs11Settings.SLOT, Kind.TEXT, "id of the slot, instead of label and serial number"),
        Setting.optional(
            Pkcs11Settings.KEY_LABEL,
            Kind.TEXT,
            "label of the AES key, or kek-v* for the versions kek-v1, kek-v2 and so on"),
        Setting.optional(
            Pkcs11Settings.KEY_ID,
            Kind.TEXT,
            "CKA_ID of the key in hexadecimal, instead of the label; several with commas: the last"
                + " one wraps"),
        Setting.optional(Pkcs11Settings.MECHANISM, Kind.TEXT, "AES-GCM (default) or AES-KEY-WRAP"),
        Setting.required(Pkcs11Settings.PIN_FILE, Kind.FILE, "file with the user PIN"),
        Setting.optional(
            Pkcs11Settings.RELOAD,
            Kind.DURATION,
            "how often new versions are looked for (default: 10s)"));
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    return new Pkcs11Provider(Pkcs11Settings.of(settings), refused);
  }
}
