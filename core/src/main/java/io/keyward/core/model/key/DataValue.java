package io.keyward.core.model.key;

import java.security.MessageDigest;

/// The value of one entry in the data of a Secret or ConfigMap: a credential, a document, a salt.
///
/// Kubernetes does not say which of them are secret, so all are treated as if they were. The key
/// bytes of a [Key] are no entry but [KeyMaterial]; only the codecs convert the one to the other.
public final class DataValue {
  private final byte[] bytes;

  private DataValue(byte[] bytes) {
    this.bytes = bytes;
  }

  public static DataValue copyOf(byte[] bytes) {
    return new DataValue(bytes.clone());
  }

  /// The one way to the bytes. A test restricts the callers.
  public byte[] reveal() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  /// Compares without telling by its duration where the first difference is.
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof DataValue that && MessageDigest.isEqual(bytes, that.bytes));
  }

  /// The same for all values of one length: a hash of the bytes would be a fact about them.
  @Override
  public int hashCode() {
    return bytes.length;
  }

  @Override
  public String toString() {
    return "Bytes[" + bytes.length + "]";
  }
}
