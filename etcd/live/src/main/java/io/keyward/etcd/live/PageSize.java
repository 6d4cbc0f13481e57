package io.keyward.etcd.live;

/// How many keys to ask for at once. etcd counts pages in keys, but what must be bounded is bytes:
/// so the sizes seen so far say how many keys come next. Every page costs etcd a walk over all keys
/// that follow, so pages must not be small either.
final class PageSize {
  /// 100 of the largest values that etcd takes by default are 150 MB: refused, and asked for in
  /// smaller pages.
  private static final int FIRST = 100;

  private static final int MOST = 10_000;
  private static final long BYTES = 8 << 20;
  private static final int GROWTH = 8;

  private int keys = FIRST;

  int keys() {
    return keys;
  }

  /// A page of so many keys and bytes was read. Grows in steps: the next values may be larger.
  void saw(int count, long bytes) {
    if (count > 0) {
      long fitting = BYTES * count / Math.max(1, bytes);
      keys = (int) Math.clamp(fitting, 1, Math.min(MOST, (long) count * GROWTH));
    }
  }

  /// The answer was too large. False where it cannot be smaller.
  boolean shrink() {
    boolean possible = keys > 1;
    keys = Math.max(1, keys / GROWTH);
    return possible;
  }
}
