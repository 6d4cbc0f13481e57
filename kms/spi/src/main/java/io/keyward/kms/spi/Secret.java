package io.keyward.kms.spi;

import java.security.MessageDigest;

/// Key bytes. Prints as a length, so it cannot leak through a log line or a record's `toString`.
public final class Secret {
  private final byte[] bytes;

  public Secret(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  /// The one way to the bytes, named so that a search finds every use.
  public byte[] reveal() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  /// Compares without telling by its duration where the first difference is.
  @Override
  public boolean equals(Object other) {
    return other instanceof Secret that && MessageDigest.isEqual(bytes, that.bytes);
  }

  /// The same for all secrets of one length: a hash of the bytes would be a fact about them.
  @Override
  public int hashCode() {
    return bytes.length;
  }

  @Override
  public String toString() {
    return "Secret[" + bytes.length + " bytes]";
  }
}
