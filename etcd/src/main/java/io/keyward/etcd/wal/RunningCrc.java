package io.keyward.etcd.wal;

import io.keyward.etcd.bytes.ByteView;

/// The checksum that runs through a log: each record's covers all records before it. The JDK's
/// CRC-32C cannot go on from a given value, which a new segment must do.
final class RunningCrc {
  private static final int POLYNOMIAL = 0x82f63b78;
  private static final int[] TABLE = table();

  private int value;

  private static int[] table() {
    var table = new int[256];
    for (int i = 0; i < 256; i++) {
      int rest = i;
      for (int bit = 0; bit < 8; bit++) {
        rest = (rest & 1) == 0 ? rest >>> 1 : rest >>> 1 ^ POLYNOMIAL;
      }
      table[i] = rest;
    }
    return table;
  }

  int value() {
    return value;
  }

  /// Goes on from a value that the log itself names.
  void set(int known) {
    value = known;
  }

  void add(ByteView data) {
    int rest = ~value;
    for (int i = 0; i < data.size(); i++) {
      rest = TABLE[(rest ^ data.at(i)) & 0xff] ^ rest >>> 8;
    }
    value = ~rest;
  }
}
