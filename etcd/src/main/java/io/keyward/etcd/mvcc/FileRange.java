package io.keyward.etcd.mvcc;

import io.keyward.etcd.bytes.ByteRange;
import io.keyward.etcd.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/// A part of the file, moved from record to record.
final class FileRange implements ByteRange {
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final MemorySegment file;
  private long from;
  private int size;

  FileRange(MemorySegment file) {
    this.file = file;
  }

  void move(long newFrom, int newSize) {
    from = newFrom;
    size = newSize;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public byte at(int index) {
    return file.get(ValueLayout.JAVA_BYTE, from + Objects.checkIndex(index, size));
  }

  @Override
  public void copyTo(byte[] into, int at, int begin, int count) {
    Objects.checkFromIndexSize(begin, count, size);
    MemorySegment.copy(file, ValueLayout.JAVA_BYTE, from + begin, into, at, count);
  }

  @Override
  public int lastIndexOf(int wanted) {
    int i = size - 1;
    while (i >= 0 && file.get(ValueLayout.JAVA_BYTE, from + i) != (byte) wanted) {
      i--;
    }
    return i;
  }

  @Override
  public Bytes copy() {
    if (size == 0) {
      return Bytes.EMPTY;
    }
    var copied = new byte[size];
    copyTo(copied, 0, 0, size);
    return Bytes.wrap(copied);
  }

  /// Spread over all bits; equal bytes have equal hashes.
  int hash() {
    long hash = 0xcbf29ce484222325L;
    long i = 0;
    for (; i + 8 <= size; i += 8) {
      hash = (hash ^ file.get(ValueLayout.JAVA_LONG_UNALIGNED, from + i)) * MIX;
      hash ^= hash >>> 29;
    }
    for (; i < size; i++) {
      hash = (hash ^ file.get(ValueLayout.JAVA_BYTE, from + i)) * MIX;
    }
    hash ^= hash >>> 32;
    return (int) hash;
  }

  boolean hasSameBytesAs(FileRange that) {
    return size == that.size
        && MemorySegment.mismatch(
                file, from, from + size, that.file, that.from, that.from + that.size)
            < 0;
  }
}
