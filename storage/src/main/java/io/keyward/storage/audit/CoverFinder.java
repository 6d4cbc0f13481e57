package io.keyward.storage.audit;

import io.keyward.etcd.bytes.ByteRange;
import io.keyward.storage.envelope.ProviderKind;
import java.util.Arrays;

/// Finds the cover of a value: all of it but the sealed bytes. Values under the same cover differ
/// in nothing that a rule asks for, so the second one need not be parsed.
///
/// Only looks at the beginning and the end of a value. Where they are not as kube-apiserver writes
/// them, there is no cover, and the value is parsed.
final class CoverFinder {
  /// The number of a cover, or why there is none.
  static final int NONE = -1;

  static final int PLAIN = 0;

  private static final int MARK = 8;
  private static final int HEAD = 128;
  private static final int MAX_TAIL = 4096;

  /// Values of a cluster have a few hundred covers. Whatever has more costs time, not memory.
  private static final int MAX_COVERS = 1 << 14;

  private static final byte[] MARKED = bytes(ProviderKind.UNKNOWN);

  private static final byte[] KMS_V2 = bytes(ProviderKind.KMS_V2);

  private static final byte[][] LOCAL = {
    bytes(ProviderKind.AESGCM), bytes(ProviderKind.AESCBC), bytes(ProviderKind.SECRETBOX)
  };

  private final ByteTable<Integer> numbers = new ByteTable<>();
  private final byte[] cover = new byte[HEAD + MAX_TAIL];

  private static byte[] bytes(ProviderKind kind) {
    return kind.header().toArray();
  }

  /// Numbers begin with 1 and have no gaps.
  int of(ByteRange value) {
    int head = Math.min(value.size(), HEAD);
    value.copyTo(cover, 0, 0, head);
    if (head < MARK || !begins(MARKED, head)) {
      return PLAIN;
    }
    if (begins(KMS_V2, head)) {
      int end = nameEnd(KMS_V2, head);
      return end == NONE ? NONE : number(withTail(value, end, head));
    }
    for (byte[] local : LOCAL) {
      if (begins(local, head)) {
        return number(nameEnd(local, head));
      }
    }
    return NONE;
  }

  private int number(int size) {
    if (size == NONE || numbers.size() >= MAX_COVERS) {
      return NONE;
    }
    Integer known = numbers.get(cover, size);
    if (known == null) {
      known = numbers.size() + 1;
      numbers.put(cover, size, known);
    }
    return known;
  }

  /// The message of KMS v2 begins with the sealed bytes; puts what follows them behind the name.
  private int withTail(ByteRange value, int end, int head) {
    int at = end;
    if (at >= head || cover[at++] != 0x0A) {
      return NONE;
    }
    long sealed = 0;
    int shift = 0;
    byte part = -1;
    while (part < 0 && shift <= 28 && at < head) {
      part = cover[at++];
      sealed |= (long) (part & 0x7f) << shift;
      shift += 7;
    }
    long tail = value.size() - at - sealed;
    if (part < 0 || sealed == 0 || tail < 0 || tail > MAX_TAIL) {
      return NONE;
    }
    value.copyTo(cover, end, (int) (at + sealed), (int) tail);
    return end + (int) tail;
  }

  private boolean begins(byte[] with, int head) {
    return head >= with.length && Arrays.equals(cover, 0, with.length, with, 0, with.length);
  }

  /// Behind the colon that ends the name.
  private int nameEnd(byte[] header, int head) {
    for (int i = header.length; i < head; i++) {
      if (cover[i] == ':') {
        return i + 1;
      }
    }
    return NONE;
  }
}
