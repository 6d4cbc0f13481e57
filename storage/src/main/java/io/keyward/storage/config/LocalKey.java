package io.keyward.storage.config;

import java.security.MessageDigest;

/// A key out of a configuration file. Prints its name and length, never its bytes.
public final class LocalKey {
  private final String name;
  private final byte[] secret;

  public LocalKey(String name, byte[] secret) {
    this.name = name;
    this.secret = secret.clone();
  }

  public String name() {
    return name;
  }

  public byte[] reveal() {
    return secret.clone();
  }

  /// OpenShift marks "encryption is off" with a key of zeros that never seals anything.
  public boolean isAllZero() {
    return MessageDigest.isEqual(secret, new byte[secret.length]);
  }

  public boolean hasSameBytesAs(LocalKey that) {
    return MessageDigest.isEqual(secret, that.secret);
  }

  @Override
  public String toString() {
    return "LocalKey[" + name + ", " + secret.length + " bytes]";
  }
}
