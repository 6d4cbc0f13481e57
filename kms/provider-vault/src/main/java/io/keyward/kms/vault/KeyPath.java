package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.KekId;
import java.util.Base64;

/// Where a transit key is found, and what it is called beyond doubt.
///
/// @param mount where the transit engine is mounted, for example `transit`
/// @param identity what ids are derived from: by default the whole address of the key; stays the
///   same when the key moves
record KeyPath(String mount, String key, String identity) {
  static final String PROVIDER = "vault";

  String encrypt() {
    return mount + "/encrypt/" + key;
  }

  String decrypt() {
    return mount + "/decrypt/" + key;
  }

  String read() {
    return mount + "/keys/" + key;
  }

  KekId version(int number) {
    return KekId.of(PROVIDER, identity, Integer.toString(number));
  }

  /// What Vault authenticates beside the DEK, in base64. The version is not in it: Vault chooses it
  /// only while it encrypts, and finds it again in the ciphertext's prefix.
  String associatedData() {
    String text = KekId.of(PROVIDER, identity, "associated data 1").value();
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
