package io.keyward.kms.local;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/// One version of a key, with the id and the annotations that are stored beside what it wraps.
record KeyVersion(KeyName name, int number, SecretKey key, KekId id, Annotations annotations) {
  static final String PROVIDER = "local";

  static KeyVersion of(KeyName name, int number, SecretKey key) throws GeneralSecurityException {
    // Two key stores may both have a first version of "default". Their ids must differ all the
    // same,
    // and stay when a file is moved, so the id depends on the key itself, through a one-way
    // function.
    String version = number + ":" + fingerprint(key);
    var annotations =
        new Annotations(
            Map.of(
                "provider.kms.keyward.io", Bytes.utf8(PROVIDER),
                "key.kms.keyward.io", Bytes.utf8(name.value()),
                "version.kms.keyward.io", Bytes.utf8(Integer.toString(number))));
    return new KeyVersion(
        name, number, key, KekId.of(PROVIDER, name.value(), version), annotations);
  }

  private static String fingerprint(SecretKey key) throws GeneralSecurityException {
    var parameters =
        HKDFParameterSpec.ofExtract()
            .addIKM(key)
            .thenExpand(Bytes.utf8("keyward local key fingerprint 1").toArray(), 16);
    return HexFormat.of().formatHex(KDF.getInstance("HKDF-SHA256").deriveData(parameters));
  }
}
