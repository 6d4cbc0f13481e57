package io.keyward.etcd.bolt;

import io.keyward.etcd.bytes.Window;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A meta page: where everything begins. Two of them, so that a torn write loses one at most.
public record Meta(
    ByteOrder order, int pageSize, long root, long freelist, long highWater, long txid) {
  static final int MAGIC = 0xED0CDAED;

  private static final int VERSION = 2;
  private static final int HEADER = 16;
  private static final int SIZE = 64;
  private static final int SUMMED = 56;
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final int SMALLEST_PAGE = 1024;
  private static final int PAGE_SIZES = 15;

  /// The meta page in use, and the page number of the other one where that is damaged.
  record Choice(Meta meta, OptionalLong damaged) {}

  /// The valid one with the higher transaction id.
  static Choice choose(Window file) {
    if (file.fileSize() < 2 * SMALLEST_PAGE) {
      throw new BoltException(BoltException.Kind.TOO_SHORT);
    }
    var candidates = new ArrayList<Meta>();
    var seen = new ArrayList<BoltException.Kind>();
    Optional<Meta> first = at(file, 0, seen);
    first.ifPresent(candidates::add);
    for (int i = 0; i < PAGE_SIZES; i++) {
      long second = (long) SMALLEST_PAGE << i;
      at(file, second, seen).filter(meta -> meta.pageSize == second).ifPresent(candidates::add);
    }
    Meta chosen =
        candidates.stream()
            .max((one, other) -> Long.compareUnsigned(one.txid, other.txid))
            .orElseThrow(() -> new BoltException(worst(seen)));
    if (first.isEmpty()) {
      return new Choice(chosen, OptionalLong.of(0));
    }
    return new Choice(chosen, candidates.size() > 1 ? OptionalLong.empty() : OptionalLong.of(1));
  }

  private static BoltException.Kind worst(List<BoltException.Kind> seen) {
    return seen.isEmpty() ? BoltException.Kind.NOT_BOLT : seen.getFirst();
  }

  private static Optional<Meta> at(Window file, long page, List<BoltException.Kind> seen) {
    long at = page + HEADER;
    if (at + SIZE > file.fileSize()) {
      return Optional.empty();
    }
    file.move(at, SIZE);
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      var numbers = new Numbers(file, order);
      if (numbers.int32(at) == MAGIC) {
        return read(numbers, at, seen);
      }
    }
    return Optional.empty();
  }

  private static Optional<Meta> read(Numbers in, long at, List<BoltException.Kind> seen) {
    if (in.int32(at + 4) != VERSION) {
      seen.add(BoltException.Kind.UNKNOWN_VERSION);
      return Optional.empty();
    }
    int pageSize = in.int32(at + 8);
    boolean sane = Integer.bitCount(pageSize) == 1 && pageSize >= SMALLEST_PAGE;
    if (!sane || fnv(in, at) != in.int64(at + SUMMED)) {
      seen.add(BoltException.Kind.BAD_META);
      return Optional.empty();
    }
    return Optional.of(
        new Meta(
            in.order(),
            pageSize,
            in.int64(at + 16),
            in.int64(at + 32),
            in.int64(at + 40),
            in.int64(at + 48)));
  }

  private static long fnv(Numbers in, long at) {
    long hash = FNV_BASIS;
    for (int i = 0; i < SUMMED; i++) {
      hash ^= in.int8(at + i) & 0xff;
      hash *= FNV_PRIME;
    }
    return hash;
  }
}
