package io.keyward.etcd.bytes;

/// Bytes where they lie, in memory or in a mapped file. A reader who needs only the beginning and
/// the end of a value looks at them here, and the rest is never touched.
///
/// May be valid during a call only; [#copy] keeps it.
public interface ByteRange {
  int size();

  byte at(int index);

  /// Copies `count` bytes, beginning with the one at `from`, to the place `at` of an array.
  void copyTo(byte[] into, int at, int from, int count);

  /// The place of the last such byte, or -1.
  int lastIndexOf(int wanted);

  ByteView copy();
}
