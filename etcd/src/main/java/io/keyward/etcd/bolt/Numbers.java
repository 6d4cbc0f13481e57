package io.keyward.etcd.bolt;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Integers at any offset. A bolt file has the byte order of the machine that wrote it.
///
/// The layouts are constants, and foreign numbers are turned round afterwards: with a layout that
/// is not a constant, the compiler makes a slow call of each access.
final class Numbers {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment file;
  private final ByteOrder order;
  private final boolean turned;

  Numbers(MemorySegment file, ByteOrder order) {
    this.file = file;
    this.order = order;
    this.turned = order == ByteOrder.BIG_ENDIAN;
  }

  ByteOrder order() {
    return order;
  }

  byte int8(long at) {
    return file.get(ValueLayout.JAVA_BYTE, at);
  }

  int uint16(long at) {
    short stored = file.get(SHORT, at);
    return (turned ? Short.reverseBytes(stored) : stored) & 0xffff;
  }

  int int32(long at) {
    int stored = file.get(INT, at);
    return turned ? Integer.reverseBytes(stored) : stored;
  }

  long uint32(long at) {
    return int32(at) & 0xffffffffL;
  }

  long int64(long at) {
    long stored = file.get(LONG, at);
    return turned ? Long.reverseBytes(stored) : stored;
  }
}
