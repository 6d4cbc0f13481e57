package io.keyward.core.model.key;

/// Order of birth of a key secret, from 1. Never what a KMS calls its key: that is a [KekId].
public record KeySerial(long value) implements Comparable<KeySerial> {
  public static final KeySerial FIRST = new KeySerial(1);

  public KeySerial {
    if (value < 0) {
      throw new IllegalArgumentException("key serial must not be negative: " + value);
    }
  }

  public KeySerial next() {
    return new KeySerial(Math.addExact(value, 1));
  }

  @Override
  public int compareTo(KeySerial other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
