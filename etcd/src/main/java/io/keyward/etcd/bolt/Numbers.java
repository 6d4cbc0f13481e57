package io.keyward.etcd.bolt;

import io.keyward.etcd.bytes.Window;
import java.nio.ByteOrder;

/// Integers at any offset. A bolt file has the byte order of the machine that wrote it; foreign
/// numbers are turned round.
final class Numbers {
  private final Window file;
  private final ByteOrder order;
  private final boolean turned;

  Numbers(Window file, ByteOrder order) {
    this.file = file;
    this.order = order;
    this.turned = order == ByteOrder.BIG_ENDIAN;
  }

  ByteOrder order() {
    return order;
  }

  byte int8(long at) {
    return file.int8(at);
  }

  int uint16(long at) {
    short stored = file.int16(at);
    return (turned ? Short.reverseBytes(stored) : stored) & 0xffff;
  }

  int int32(long at) {
    int stored = file.int32(at);
    return turned ? Integer.reverseBytes(stored) : stored;
  }

  long uint32(long at) {
    return int32(at) & 0xffffffffL;
  }

  long int64(long at) {
    long stored = file.int64(at);
    return turned ? Long.reverseBytes(stored) : stored;
  }
}
