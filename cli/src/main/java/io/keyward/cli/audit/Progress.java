package io.keyward.cli.audit;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;

/// A line on the terminal with rate and time left, once something takes longer than two seconds.
/// Silent where nobody watches.
final class Progress {
  private static final long QUIET_NANOS = 2_000_000_000L;
  private static final long REDRAW_NANOS = 200_000_000L;
  private static final int LOOK_EVERY = 1024;
  private static final int MB = 1_000_000;

  private final PrintWriter err;
  private final boolean watched;
  private long total;
  private long done;
  private long steps;
  private long began;
  private long drawn;

  private Progress(PrintWriter err, boolean watched) {
    this.err = err;
    this.watched = watched;
  }

  static Progress on(PrintWriter err) {
    // Depending on the JDK there is no console at all where nobody watches.
    boolean watched = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    return new Progress(err, watched);
  }

  /// `newTotal` bytes are to be done.
  void begin(long newTotal) {
    total = newTotal;
    done = 0;
    began = System.nanoTime();
    drawn = 0;
  }

  /// `newDone` bytes are done.
  void step(long newDone) {
    done = newDone;
    steps++;
    if (watched && steps % LOOK_EVERY == 0) {
      long now = System.nanoTime();
      if (now - began > QUIET_NANOS && now - drawn > REDRAW_NANOS) {
        draw(now);
      }
    }
  }

  private void draw(long now) {
    drawn = now;
    double rate = done * 1e9 / (now - began);
    double percent = total == 0 ? 0 : 100.0 * done / total;
    String line =
        String.format(
            Locale.ROOT,
            "\r%5.1f %%  %,d of %,d MB  %,.0f MB/s  %.0f s left ",
            percent,
            done / MB,
            total / MB,
            rate / MB,
            Math.max(0, total - done) / rate);
    err.print(line);
    err.flush();
  }

  void end() {
    if (drawn != 0) {
      err.print("\r" + " ".repeat(70) + "\r");
      err.flush();
    }
  }
}
