package io.keyward.etcd.bolt;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Integers at any offset. A bolt file has the byte order of the machine that wrote it.
final class Numbers {
  private final MemorySegment file;
  private final ByteOrder order;
  private final ValueLayout.OfShort shorts;
  private final ValueLayout.OfInt ints;
  private final ValueLayout.OfLong longs;

  Numbers(MemorySegment file, ByteOrder order) {
    this.file = file;
    this.order = order;
    this.shorts = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
    this.ints = ValueLayout.JAVA_INT_UNALIGNED.withOrder(order);
    this.longs = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order);
  }

  ByteOrder order() {
    return order;
  }

  byte int8(long at) {
    return file.get(ValueLayout.JAVA_BYTE, at);
  }

  int uint16(long at) {
    return file.get(shorts, at) & 0xffff;
  }

  int int32(long at) {
    return file.get(ints, at);
  }

  long uint32(long at) {
    return file.get(ints, at) & 0xffffffffL;
  }

  long int64(long at) {
    return file.get(longs, at);
  }
}
