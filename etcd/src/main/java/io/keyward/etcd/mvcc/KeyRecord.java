package io.keyward.etcd.mvcc;

import io.keyward.etcd.bolt.Element;
import io.keyward.etcd.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// One revision of one key, as places in the file. Reused from visit to visit, like [Element].
public final class KeyRecord {
  private static final int REVISION = 17;
  private static final ValueLayout.OfLong BIG_ENDIAN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int MAX_VARINT = 10;

  private final MemorySegment file;
  private long at;
  private long end;
  private boolean damaged;
  private long elementAt;
  private long main;
  private long sub;
  private boolean tombstone;
  private long keyAt;
  private int keySize;
  private long valueAt;
  private int valueSize;
  private long createRevision;
  private long modRevision;
  private long version;
  private long lease;

  KeyRecord(MemorySegment file) {
    this.file = file;
  }

  /// False where the element is no revision.
  boolean read(Element element) {
    elementAt = element.at();
    boolean marked = element.keySize() == REVISION + 1;
    if (!marked && element.keySize() != REVISION) {
      return false;
    }
    main = file.get(BIG_ENDIAN, element.keyAt());
    sub = file.get(BIG_ENDIAN, element.keyAt() + 9);
    tombstone = marked && file.get(ValueLayout.JAVA_BYTE, element.keyAt() + REVISION) == 't';
    boolean shaped =
        file.get(ValueLayout.JAVA_BYTE, element.keyAt() + 8) == '_' && marked == tombstone;
    return shaped && main >= 0 && sub >= 0 && readMessage(element.valueAt(), element.valueSize());
  }

  private boolean readMessage(long begin, int size) {
    at = begin;
    end = begin + size;
    damaged = false;
    keySize = 0;
    valueSize = 0;
    createRevision = 0;
    modRevision = 0;
    version = 0;
    lease = 0;
    while (at < end && !damaged) {
      readField();
    }
    return !damaged;
  }

  private void readField() {
    long tag = varint();
    switch ((int) tag) {
      case 0x0A -> {
        keySize = length();
        keyAt = at - keySize;
      }
      case 0x10 -> createRevision = varint();
      case 0x18 -> modRevision = varint();
      case 0x20 -> version = varint();
      case 0x2A -> {
        valueSize = length();
        valueAt = at - valueSize;
      }
      case 0x30 -> lease = varint();
      default -> skip((int) (tag & 7));
    }
  }

  /// Fields that a later etcd may add.
  private void skip(int wireType) {
    switch (wireType) {
      case 0 -> varint();
      case 1 -> at += 8;
      case 2 -> length();
      case 5 -> at += 4;
      default -> damaged = true;
    }
    damaged |= at > end;
  }

  private int length() {
    long size = varint();
    if (size < 0 || size > end - at) {
      damaged = true;
      return 0;
    }
    at += size;
    return (int) size;
  }

  private long varint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT && at < end; i++) {
      byte part = file.get(ValueLayout.JAVA_BYTE, at++);
      value |= (long) (part & 0x7f) << (7 * i);
      if (part >= 0) {
        return value;
      }
    }
    damaged = true;
    return 0;
  }

  /// Where the record stands in the file: its name there.
  public long elementAt() {
    return elementAt;
  }

  public Revision revision() {
    return new Revision(main, sub);
  }

  public long main() {
    return main;
  }

  public boolean isTombstone() {
    return tombstone;
  }

  boolean hasKey() {
    return keySize > 0;
  }

  public Bytes key() {
    return copy(keyAt, keySize);
  }

  public Bytes value() {
    return copy(valueAt, valueSize);
  }

  public int valueSize() {
    return valueSize;
  }

  public long createRevision() {
    return createRevision;
  }

  public long modRevision() {
    return modRevision;
  }

  public long version() {
    return version;
  }

  public long lease() {
    return lease;
  }

  /// Spread over all bits; equal keys have equal hashes.
  int keyHash() {
    long hash = 0xcbf29ce484222325L;
    long i = 0;
    for (; i + 8 <= keySize; i += 8) {
      hash = (hash ^ file.get(ValueLayout.JAVA_LONG_UNALIGNED, keyAt + i)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    for (; i < keySize; i++) {
      hash = (hash ^ file.get(ValueLayout.JAVA_BYTE, keyAt + i)) * 0x9E3779B97F4A7C15L;
    }
    hash ^= hash >>> 32;
    return (int) hash;
  }

  boolean hasSameKeyAs(KeyRecord that) {
    return keySize == that.keySize
        && MemorySegment.mismatch(
                file, keyAt, keyAt + keySize, that.file, that.keyAt, that.keyAt + that.keySize)
            < 0;
  }

  private Bytes copy(long from, int size) {
    return size == 0
        ? Bytes.EMPTY
        : Bytes.wrap(file.asSlice(from, size).toArray(ValueLayout.JAVA_BYTE));
  }
}
