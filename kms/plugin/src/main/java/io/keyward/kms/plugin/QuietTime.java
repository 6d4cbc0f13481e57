package io.keyward.kms.plugin;

import io.keyward.kms.plugin.service.CallObserver;
import java.util.concurrent.atomic.AtomicLong;

/// Finds the moment to clean up: the plugin has worked, and now nobody calls.
///
/// The plugin's JVM collects its young garbage as it goes, and that suffices for years. But only a
/// full collection frees code that was compiled again for speed, and what a burst of calls pushed
/// into the old generation: some ten MB beside every API server. It takes some ten milliseconds in
/// which no call is answered, so it waits until there are hardly any.
final class QuietTime {
  /// Calls between two looks that still count as quiet: probes, and Status once a minute.
  static final int QUIET = 100;

  /// Calls after which there is something to clean up.
  static final int BUSY = 5_000;

  private final Runnable cleanUp;
  private final AtomicLong calls = new AtomicLong();
  private long atLastLook;
  // As if it had worked before: starting leaves something to clean up, too.
  private long atLastCleanUp = -BUSY;

  QuietTime(Runnable cleanUp) {
    this.cleanUp = cleanUp;
  }

  /// Counts calls on their way to `next`.
  CallObserver counting(CallObserver next) {
    return (operation, code, nanos) -> {
      calls.incrementAndGet();
      next.finished(operation, code, nanos);
    };
  }

  /// Looks whether now is the moment. To be called at a regular pace, by one thread.
  void look() {
    long now = calls.get();
    boolean quiet = now - atLastLook < QUIET;
    atLastLook = now;
    if (quiet && now - atLastCleanUp >= BUSY) {
      atLastCleanUp = now;
      cleanUp.run();
    }
  }
}
