package io.keyward.etcd.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class WindowTest {
  private static final int SIZE = 600_000;

  private final byte[] bytes = new byte[SIZE];
  private final MemorySegment file = MemorySegment.ofArray(bytes);
  private final Window window = new Window(file);

  WindowTest() {
    new Random(11).nextBytes(bytes);
  }

  @Test
  void tellsTheSameInsideOutsideAndAcrossItsEdges() {
    for (long[] part : new long[][] {{0, 0}, {100, 64}, {100, 4096}, {90, 20}, {7, SIZE - 7}}) {
      window.move(part[0], part[1]);
      for (long at = 80; at < 200; at++) {
        assertSame(at);
      }
      // Where a large part ends, and the end of the file.
      for (long at : new long[] {4190, 4193, 4196, (1 << 18) + 3, (1 << 18) + 7, SIZE - 8}) {
        assertSame(at);
      }
    }
  }

  private void assertSame(long at) {
    assertThat(window.int8(at)).isEqualTo(bytes[(int) at]);
    assertThat(window.int16(at)).isEqualTo(file.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
    assertThat(window.int32(at)).isEqualTo(file.get(ValueLayout.JAVA_INT_UNALIGNED, at));
    assertThat(window.int64(at)).isEqualTo(file.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
    var copied = new byte[8];
    window.copyTo(copied, 0, at, 8);
    assertThat(copied).isEqualTo(Arrays.copyOfRange(bytes, (int) at, (int) at + 8));
    assertThat(window.hasSame(at, 8, new Window(file), at)).isTrue();
    assertThat(window.hasSame(at, 8, window, at - 1)).isFalse();
  }

  @Test
  void holdsAtMostItsPart() {
    window.move(100, 50);
    assertThat(window.holds(100, 50)).isTrue();
    assertThat(window.holds(99, 2)).isFalse();
    assertThat(window.holds(149, 1)).isTrue();
    assertThat(window.holds(149, 2)).isFalse();
    assertThat(window.holds(150, 0)).isTrue();
    window.move(0, SIZE);
    assertThat(window.holds(0, SIZE)).as("its memory is bounded").isFalse();
  }
}
