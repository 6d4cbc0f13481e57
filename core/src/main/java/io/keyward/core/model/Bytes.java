package io.keyward.core.model;

import java.util.Arrays;

/// Bytes that may be secret. Prints as a length, so they cannot leak through a record's text.
public final class Bytes {
  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Bytes copyOf(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  /// The one way to the bytes, named so that a search finds every use.
  public byte[] reveal() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof Bytes that && Arrays.equals(bytes, that.bytes));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Bytes[" + bytes.length + "]";
  }
}
