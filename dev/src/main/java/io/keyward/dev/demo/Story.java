package io.keyward.dev.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/// Tells what happens: a chapter, what is being done, what was proven.
final class Story {
  private final PrintWriter out;
  private final long begin = System.nanoTime();
  private int chapters;
  private int proven;
  private int failed;

  Story(PrintWriter out) {
    this.out = out;
  }

  /// Counts up from one.
  void chapter(String title) {
    chapters++;
    heading(chapters + ". " + title);
  }

  void heading(String title) {
    say("");
    say(title);
  }

  void tell(String line) {
    say("    " + line);
  }

  /// Does something that takes time, and says how long it took.
  <T> T doing(String what, Supplier<T> action) {
    long start = System.nanoTime();
    out.print("  - " + what + " ... ");
    out.flush();
    T result = action.get();
    say(String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - start) / 1e9));
    return result;
  }

  void doing(String what, Runnable action) {
    doing(
        what,
        () -> {
          action.run();
          return true;
        });
  }

  /// Does something that tells lines while it goes on, and says how long it took.
  void watching(String what, Runnable action) {
    long start = System.nanoTime();
    say("  - " + what);
    action.run();
    say(String.format(Locale.ROOT, "    done in %.1f s", (System.nanoTime() - start) / 1e9));
  }

  void prove(boolean holds, String claim) {
    if (holds) {
      proven++;
      say("  PROVEN: " + claim);
    } else {
      failed++;
      say("  NOT PROVEN: " + claim);
    }
  }

  boolean end() {
    say("");
    say(
        proven
            + " things proven, "
            + failed
            + " not, in "
            + Duration.ofNanos(System.nanoTime() - begin).toSeconds()
            + " s. Every server was stopped.");
    return failed == 0;
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
