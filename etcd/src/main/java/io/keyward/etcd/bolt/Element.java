package io.keyward.etcd.bolt;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.Window;

/// One key and its value in a leaf, as places in the file. Reused from visit to visit, so that a
/// walk over millions of elements allocates nothing: take out what you need before you return.
public final class Element {
  private final Window file;
  private long page;
  private long at;
  private int flags;
  private long keyAt;
  private int keySize;
  private int valueSize;

  Element(Window file) {
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

  public Window file() {
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

  public ByteView key() {
    return copy(keyAt, keySize);
  }

  public ByteView value() {
    return copy(valueAt(), valueSize);
  }

  private ByteView copy(long from, int size) {
    var copied = new byte[size];
    file.copyTo(copied, 0, from, size);
    return ByteView.wrap(copied);
  }
}
