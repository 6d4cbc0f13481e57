package io.keyward.storage.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.etcd.bytes.ByteView;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Short names for long or sensitive bytes.
public final class ByteFingerprint {
  private ByteFingerprint() {}

  /// A `key_id` as kube-apiserver's metrics and logs show it.
  public static String ofKeyId(String keyId) {
    return "sha256:" + HexFormat.of().formatHex(sha256(keyId.getBytes(UTF_8)));
  }

  public static String sha256Hex(ByteView bytes) {
    return HexFormat.of().formatHex(sha256(bytes.toArray()));
  }

  /// Enough to tell two wrapped DEKs apart.
  public static String ofWrappedDek(ByteView wrapped) {
    return "sha256:" + sha256Hex(wrapped).substring(0, 16);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
