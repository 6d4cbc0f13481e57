package io.keyward.etcd.bolt;

import io.keyward.etcd.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// One key and its value in a leaf, as places in the file. Reused from visit to visit, so that a
/// walk over millions of elements allocates nothing: take out what you need before you return.
public final class Element {
  private final MemorySegment file;
  private long page;
  private long at;
  private int flags;
  private long keyAt;
  private int keySize;
  private int valueSize;

  Element(MemorySegment file) {
    this.file = file;
  }

  void place(long newPage, long newAt, int newFlags) {
    page = newPage;
    at = newAt;
    flags = newFlags;
  }

  void content(long newKeyAt, int newKeySize, int newValueSize) {
    keyAt = newKeyAt;
    keySize = newKeySize;
    valueSize = newValueSize;
  }

  public MemorySegment file() {
    return file;
  }

  public long page() {
    return page;
  }

  /// Where the element itself stands: a name for it within the file.
  public long at() {
    return at;
  }

  boolean isBucket() {
    return (flags & 1) != 0;
  }

  public long keyAt() {
    return keyAt;
  }

  public int keySize() {
    return keySize;
  }

  public long valueAt() {
    return keyAt + keySize;
  }

  public int valueSize() {
    return valueSize;
  }

  public Bytes key() {
    return copy(keyAt, keySize);
  }

  public Bytes value() {
    return copy(valueAt(), valueSize);
  }

  private Bytes copy(long from, int size) {
    return Bytes.wrap(file.asSlice(from, size).toArray(ValueLayout.JAVA_BYTE));
  }
}
