package io.keyward.kms.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/// Immutable bytes that are not secret: safe to print and to compare.
public final class Bytes {
  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Bytes copyOf(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  public static Bytes utf8(String text) {
    return new Bytes(text.getBytes(UTF_8));
  }

  public byte[] toArray() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
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
