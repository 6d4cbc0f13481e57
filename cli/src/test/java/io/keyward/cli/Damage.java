package io.keyward.cli;

import java.util.Arrays;
import java.util.Random;

/// What was done to a file: where, and what is left of it.
final class Damage {
  private static final int PAGE = 4096;
  private static final int DIGEST = 32;

  private final String what;
  private final int first;
  private final int last;
  private final byte[] bytes;

  private Damage(String what, int first, int last, byte[] bytes) {
    this.what = what;
    this.first = first;
    this.last = last;
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  static Damage choose(Random random, byte[] file) {
    return switch (random.nextInt(6)) {
      case 0 -> flip(random, file, 0, file.length);
      case 1 -> flip(random, file, file.length - DIGEST, file.length);
      case 2 -> flip(random, file, 0, 2 * PAGE);
      // Not just the digest: a whole database without one is no damage.
      case 3 -> cut(file, random.nextInt(file.length - DIGEST));
      default -> ofPages(random, file, 0);
    };
  }

  static Damage ofStructure(Random random, byte[] file, int[] pages) {
    int page = pages[random.nextInt(pages.length)];
    int begin = page * PAGE;
    return switch (random.nextInt(4)) {
      // The page's number, type, count and overflow, or the table of its elements.
      case 0 -> flip(random, file, begin, begin + 16);
      case 1 -> flip(random, file, begin + 16, begin + 32);
      case 2 -> cut(file, random.nextInt(file.length - 1));
      default -> ofPages(random, file, page);
    };
  }

  /// Zeroes a page, or swaps two. Page 0 means: any, but never both meta pages.
  static Damage ofPages(Random random, byte[] file, int page) {
    int pages = file.length / PAGE;
    int one = page > 0 ? page : 1 + random.nextInt(pages - 1);
    if (random.nextBoolean()) {
      Arrays.fill(file, one * PAGE, (one + 1) * PAGE, (byte) 0);
      file[one * PAGE] = (byte) 0xff;
      return new Damage("zeroed", one, one, file);
    }
    int other = 2 + random.nextInt(pages - 2);
    other = other == one ? 2 + (other - 1) % (pages - 2) : other;
    byte[] kept = Arrays.copyOfRange(file, one * PAGE, (one + 1) * PAGE);
    System.arraycopy(file, other * PAGE, file, one * PAGE, PAGE);
    System.arraycopy(kept, 0, file, other * PAGE, PAGE);
    return new Damage("swapped", one, other, file);
  }

  private static Damage flip(Random random, byte[] file, int from, int to) {
    int at = from + random.nextInt(to - from);
    file[at] ^= (byte) (1 << random.nextInt(8));
    return new Damage("flipped at " + at, at / PAGE, at / PAGE, file);
  }

  private static Damage cut(byte[] file, int size) {
    return new Damage("cut to " + size, size / PAGE, file.length, Arrays.copyOf(file, size));
  }

  boolean spares(int from, int to) {
    boolean one = first < from || first > to;
    return one && (last < from || last > to);
  }

  @Override
  public String toString() {
    return what + " " + first + " " + last;
  }
}
