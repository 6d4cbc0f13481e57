package io.keyward.core.model.key;

import java.security.MessageDigest;

/// The bytes that seal data under a key. Decisions compare them and never look inside; the codecs
/// alone turn them into the text of a Secret.
public final class KeyMaterial {
  private final byte[] bytes;

  private KeyMaterial(byte[] bytes) {
    this.bytes = bytes;
  }

  public static KeyMaterial copyOf(byte[] bytes) {
    return new KeyMaterial(bytes.clone());
  }

  /// The one way to the key bytes. A test restricts the callers.
  public byte[] revealKey() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  /// Compares without telling by its duration where the first difference is.
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof KeyMaterial that && MessageDigest.isEqual(bytes, that.bytes));
  }

  /// The same for all keys of one length: a hash of the bytes would be a fact about them.
  @Override
  public int hashCode() {
    return bytes.length;
  }

  @Override
  public String toString() {
    return "KeyMaterial[" + bytes.length + " bytes]";
  }
}
