package io.keyward.cli.output;

import io.keyward.storage.run.AuditProgress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/// A bar on the terminal with rate and time left, once something takes longer than two seconds.
/// Silent where nobody watches. Closing wipes it away, and so does Ctrl-C.
public final class Progress implements AuditProgress, AutoCloseable {
  /// Another time for tests, in milliseconds.
  private static final long QUIET_NANOS =
      Long.getLong("keyward.progress.after", 2_000L) * 1_000_000L;

  private static final long REDRAW_NANOS = 200_000_000L;
  private static final int LOOK_EVERY = 64;
  private static final int WIDTH = 20;
  private static final String WIPE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean watched;
  private final LongSupplier clock;
  private final Thread onInterrupt = new Thread(this::wipe, "wipe-progress");
  private long total;
  private int scale = 1;
  private String unit = "";
  private long done;
  private long steps;
  private long began;
  private long drawn;
  private boolean visible;

  Progress(PrintWriter err, boolean watched, LongSupplier clock) {
    this.err = err;
    this.watched = watched;
    this.clock = clock;
  }

  /// Where standard error is a terminal. Standard output may well be a file meanwhile.
  public static Progress on(PrintWriter err) {
    boolean watched = Terminal.isStandardError();
    var progress = new Progress(err, watched, System::nanoTime);
    if (watched) {
      Runtime.getRuntime().addShutdownHook(progress.onInterrupt);
    }
    return progress;
  }

  @Override
  public void begin(long newTotal) {
    begin(newTotal, 1, "");
  }

  /// Shown in megabytes.
  @Override
  public void beginBytes(long newTotal) {
    begin(newTotal, 1_000_000, " MB");
  }

  private void begin(long newTotal, int newScale, String newUnit) {
    total = newTotal;
    scale = newScale;
    unit = newUnit;
    done = 0;
    steps = 0;
    began = clock.getAsLong();
    drawn = began;
  }

  @Override
  public void step() {
    reach(done + 1);
  }

  @Override
  public void reach(long newDone) {
    done = newDone;
    steps++;
    if (watched && steps % LOOK_EVERY == 0) {
      long now = clock.getAsLong();
      if (now - began > QUIET_NANOS && now - drawn > Math.min(REDRAW_NANOS, QUIET_NANOS)) {
        drawn = now;
        draw(line((now - began) / 1e9));
      }
    }
  }

  private String line(double seconds) {
    double rate = done / seconds;
    if (total == 0) {
      return String.format(Locale.ROOT, "%,d%s  %,.0f%s/s", done / scale, unit, rate / scale, unit);
    }
    double share = Math.min(1, (double) done / total);
    int filled = (int) (share * WIDTH);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3.0f %%  %,d of %,d%s  %,.0f%s/s  %,.0f s left",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        100 * share,
        done / scale,
        total / scale,
        unit,
        rate / scale,
        unit,
        Math.max(0, total - done) / rate);
  }

  private synchronized void draw(String line) {
    visible = true;
    err.print(WIPE + line);
    err.flush();
  }

  private synchronized void wipe() {
    if (visible) {
      visible = false;
      err.print(WIPE);
      err.flush();
    }
  }

  @Override
  public void close() {
    wipe();
    if (watched) {
      try {
        Runtime.getRuntime().removeShutdownHook(onInterrupt);
      } catch (IllegalStateException ending) {
        // The hook is at work already.
      }
    }
  }
}
