package io.keyward.etcd.bytes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/// Immutable bytes: a view, so that cutting a value into its parts copies nothing.
public final class ByteView implements ByteRange, Comparable<ByteView> {
  public static final ByteView EMPTY = new ByteView(new byte[0], 0, 0);

  private final byte[] array;
  private final int from;
  private final int size;

  private ByteView(byte[] array, int from, int size) {
    this.array = array;
    this.from = from;
    this.size = size;
  }

  /// Takes the array over: the caller must not change it afterwards.
  public static ByteView wrap(byte[] array) {
    return new ByteView(array, 0, array.length);
  }

  public static ByteView utf8(String text) {
    return wrap(text.getBytes(UTF_8));
  }

  @Override
  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  @Override
  public byte at(int index) {
    return array[from + Objects.checkIndex(index, size)];
  }

  public ByteView slice(int begin, int end) {
    Objects.checkFromToIndex(begin, end, size);
    return new ByteView(array, from + begin, end - begin);
  }

  public ByteView drop(int count) {
    return slice(count, size);
  }

  public boolean startsWith(ByteView prefix) {
    return size >= prefix.size
        && Arrays.equals(
            array, from, from + prefix.size, prefix.array, prefix.from, prefix.from + prefix.size);
  }

  /// The place of the first such byte at or after `begin`, or -1.
  public int indexOf(int wanted, int begin) {
    for (int i = begin; i < size; i++) {
      if (array[from + i] == (byte) wanted) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public int lastIndexOf(int wanted) {
    int i = size - 1;
    while (i >= 0 && array[from + i] != (byte) wanted) {
      i--;
    }
    return i;
  }

  @Override
  public void copyTo(byte[] into, int at, int begin, int count) {
    Objects.checkFromIndexSize(begin, count, size);
    System.arraycopy(array, from + begin, into, at, count);
  }

  /// Itself: it never changes.
  @Override
  public ByteView copy() {
    return this;
  }

  public byte[] toArray() {
    return Arrays.copyOfRange(array, from, from + size);
  }

  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(array, from, size).slice().asReadOnlyBuffer();
  }

  /// Empty when the bytes are not UTF-8 (surrogates and over-long forms are not).
  public Optional<String> utf8() {
    // Nearly all names are ASCII, and a decoder for each would cost more than the audit itself.
    if (isAscii()) {
      return Optional.of(new String(array, from, size, ISO_8859_1));
    }
    try {
      return Optional.of(UTF_8.newDecoder().decode(toBuffer()).toString());
    } catch (CharacterCodingException notText) {
      return Optional.empty();
    }
  }

  private boolean isAscii() {
    for (int i = from; i < from + size; i++) {
      if (array[i] < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int compareTo(ByteView that) {
    return Arrays.compareUnsigned(
        array, from, from + size, that.array, that.from, that.from + that.size);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteView that
        && Arrays.equals(array, from, from + size, that.array, that.from, that.from + that.size);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = from; i < from + size; i++) {
      hash = 31 * hash + array[i];
    }
    return hash;
  }

  /// Only the size: values may be secret.
  @Override
  public String toString() {
    return "Bytes[" + size + "]";
  }
}
