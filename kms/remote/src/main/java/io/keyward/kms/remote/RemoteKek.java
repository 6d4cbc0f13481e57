package io.keyward.kms.remote;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import java.util.Map;

/// One key of one remote KMS, as it was configured. Its versions come from the KMS.
///
/// @param provider the provider's word in configuration files
/// @param key names the key beyond doubt among all keys of that provider; not secret
public record RemoteKek(String provider, String key) {
  public KekId id(String version) {
    return KekId.of(provider, key, version);
  }

  /// What is stored beside a wrapped DEK, so that a person who holds a backup knows which key of
  /// which KMS it needs. All of it follows from key and version: anything else was put there by
  /// somebody.
  public Annotations annotations(String version) {
    return new Annotations(
        Map.of(
            "provider.kms.keyward.io", Bytes.utf8(provider),
            "key.kms.keyward.io", Bytes.utf8(key),
            "version.kms.keyward.io", Bytes.utf8(version)));
  }
}
