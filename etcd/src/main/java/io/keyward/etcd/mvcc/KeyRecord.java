package io.keyward.etcd.mvcc;

import io.keyward.etcd.bolt.Element;
import io.keyward.etcd.bytes.ByteRange;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.Window;

/// One revision of one key, as places in the file. Reused from visit to visit, like [Element].
public final class KeyRecord {
  private static final int REVISION = 17;
  private static final int MAX_VARINT = 10;

  private final FileRange key = new FileRange();
  private final FileRange value = new FileRange();
  private Window file = FileRange.NOWHERE;
  private long at;
  private long end;
  private boolean damaged;
  private long elementAt;
  private long main;
  private long sub;
  private boolean tombstone;
  private long createRevision;
  private long modRevision;
  private long version;
  private long lease;
  private long lastMain;
  private long lastSub;

  KeyRecord() {}

  /// False where the element is no revision.
  boolean read(Element element) {
    file = element.file();
    elementAt = element.at();
    boolean marked = element.keySize() == REVISION + 1;
    if (!marked && element.keySize() != REVISION) {
      return false;
    }
    main = Long.reverseBytes(file.int64(element.keyAt()));
    sub = Long.reverseBytes(file.int64(element.keyAt() + 9));
    tombstone = marked && file.int8(element.keyAt() + REVISION) == 't';
    boolean shaped = file.int8(element.keyAt() + 8) == '_' && marked == tombstone;
    return shaped && main >= 0 && sub >= 0 && readMessage(element.valueAt(), element.valueSize());
  }

  private boolean readMessage(long begin, int size) {
    at = begin;
    end = begin + size;
    damaged = false;
    key.move(file, begin, 0);
    value.move(file, begin, 0);
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
      case 0x0A -> move(key);
      case 0x10 -> createRevision = varint();
      case 0x18 -> modRevision = varint();
      case 0x20 -> version = varint();
      case 0x2A -> move(value);
      case 0x30 -> lease = varint();
      default -> skip((int) (tag & 7));
    }
  }

  private void move(FileRange range) {
    int size = length();
    range.move(file, at - size, size);
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
      byte part = file.int8(at++);
      value |= (long) (part & 0x7f) << (7 * i);
      if (part >= 0) {
        return value;
      }
    }
    damaged = true;
    return 0;
  }

  /// Before a walk from the newest record to the oldest.
  void beginOrder() {
    lastMain = Long.MAX_VALUE;
    lastSub = Long.MAX_VALUE;
  }

  /// Whether the walk is still in order, and the record agrees with its own key. No checksum covers
  /// a page, so this is where a changed revision shows.
  boolean isOlderThanTheLast() {
    boolean older = main < lastMain || (main == lastMain && sub < lastSub);
    lastMain = main;
    lastSub = sub;
    return older && (tombstone || modRevision == main);
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
    return key.size() > 0;
  }

  /// A copy, to keep.
  public ByteView key() {
    return key.copy();
  }

  /// A copy, to keep.
  public ByteView value() {
    return value.copy();
  }

  /// Where the key lies; valid during the visit.
  public ByteRange keyInPlace() {
    return key;
  }

  /// Where the value lies; valid during the visit.
  public ByteRange valueInPlace() {
    return value;
  }

  public int valueSize() {
    return value.size();
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

  int keyHash() {
    return key.hash();
  }

  boolean hasSameKeyAs(KeyRecord that) {
    return key.hasSameBytesAs(that.key);
  }
}
