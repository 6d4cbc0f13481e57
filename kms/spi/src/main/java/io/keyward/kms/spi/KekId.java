package io.keyward.kms.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// The name of one version of one KEK, as API servers see it: KMS v2 calls it `key_id`.
public record KekId(String value) {
  /// KMS v2 wants less than 1 KiB.
  public static final int MAX_BYTES = 1023;

  public KekId {
    int size = value.getBytes(UTF_8).length;
    if (size == 0 || size > MAX_BYTES) {
      throw new IllegalArgumentException("KEK id must have 1 to " + MAX_BYTES + " bytes: " + size);
    }
  }

  /// The id of version `version` of the key `key` in the KMS `provider`.
  ///
  /// It is opaque: equal for equal parts, different when any part differs, and telling nothing
  /// about them, because it is stored in etcd beside every value. `key` names the key beyond doubt,
  /// for example with the address and the mount it is found under, so that two keys never share an
  /// id.
  public static KekId of(String provider, String key, String version) {
    MessageDigest digest = sha256();
    for (String part : new String[] {"keyward kek id 1", provider, key, version}) {
      byte[] bytes = part.getBytes(UTF_8);
      // Lengths first: without them "a" + "bc" and "ab" + "c" would be one key.
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
      digest.update(bytes);
    }
    return new KekId(
        "kw1-" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
