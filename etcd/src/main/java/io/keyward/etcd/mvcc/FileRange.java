package io.keyward.etcd.mvcc;

import io.keyward.etcd.bytes.ByteRange;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.Window;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A part of the file, moved from record to record.
final class FileRange implements ByteRange {
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /// Of records that have not been read yet.
  static final Window NOWHERE = new Window(MemorySegment.ofArray(new byte[0]));

  private Window file = NOWHERE;
  private long from;
  private int size;

  void move(Window newFile, long newFrom, int newSize) {
    file = newFile;
    from = newFrom;
    size = newSize;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public byte at(int index) {
    return file.int8(from + Objects.checkIndex(index, size));
  }

  @Override
  public void copyTo(byte[] into, int at, int begin, int count) {
    Objects.checkFromIndexSize(begin, count, size);
    file.copyTo(into, at, from + begin, count);
  }

  @Override
  public int lastIndexOf(int wanted) {
    int i = size - 1;
    while (i >= 0 && file.int8(from + i) != (byte) wanted) {
      i--;
    }
    return i;
  }

  @Override
  public ByteView copy() {
    if (size == 0) {
      return ByteView.EMPTY;
    }
    var copied = new byte[size];
    copyTo(copied, 0, 0, size);
    return ByteView.wrap(copied);
  }

  /// Spread over all bits; equal bytes have equal hashes.
  int hash() {
    long hash = 0xcbf29ce484222325L;
    long i = 0;
    for (; i + 8 <= size; i += 8) {
      hash = (hash ^ file.int64(from + i)) * MIX;
      hash ^= hash >>> 29;
    }
    for (; i < size; i++) {
      hash = (hash ^ file.int8(from + i)) * MIX;
    }
    hash ^= hash >>> 32;
    return (int) hash;
  }

  boolean hasSameBytesAs(FileRange that) {
    return size == that.size && file.hasSame(from, size, that.file, that.from);
  }
}
