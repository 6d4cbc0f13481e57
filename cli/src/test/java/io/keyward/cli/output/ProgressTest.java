package io.keyward.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final StringWriter terminal = new StringWriter();
  private long now;

  @Test
  void quietForTwoSecondsThenABarWithRateAndTimeLeft() {
    try (var progress = new Progress(new PrintWriter(terminal), true, () -> now)) {
      progress.begin(6400);
      steps(progress, 640, 1_900);
      assertThat(terminal.toString()).isEmpty();
      steps(progress, 640, 4_000);
      assertThat(terminal.toString())
          .endsWith("[####................]  20 %  1,280 of 6,400  320/s  16 s left");
    }
    assertThat(terminal.toString()).endsWith("\r\u001b[K");
  }

  @Test
  void withoutATotalThereIsNoTimeLeft() {
    try (var progress = new Progress(new PrintWriter(terminal), true, () -> now)) {
      progress.begin(0);
      steps(progress, 640, 4_000);
      assertThat(terminal.toString()).endsWith("640  160/s");
    }
  }

  @Test
  void bytesAreShownInMegabytes() {
    try (var progress = new Progress(new PrintWriter(terminal), true, () -> now)) {
      progress.beginBytes(8_000_000);
      for (int i = 1; i <= 64; i++) {
        now = i == 64 ? 4_000_000_000L : 0;
        progress.reach(i * 62_500L);
      }
      assertThat(terminal.toString())
          .endsWith("[##########..........]  50 %  4 of 8 MB  1 MB/s  4 s left");
    }
  }

  @Test
  void silentWhereNobodyWatches() {
    try (var progress = new Progress(new PrintWriter(terminal), false, () -> now)) {
      progress.begin(10);
      steps(progress, 640, 9_000);
    }
    assertThat(terminal.toString()).isEmpty();
  }

  /// All but the last step before the clock moves on.
  private void steps(Progress progress, int count, long millis) {
    for (int i = 0; i < count - 1; i++) {
      progress.step();
    }
    now = millis * 1_000_000;
    progress.step();
  }
}
