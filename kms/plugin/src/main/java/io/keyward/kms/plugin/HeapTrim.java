package io.keyward.kms.plugin;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Gives memory back after a burst. The plugin shares its machine with an API server, and the
/// collector that needs the least memory shrinks the heap only in a full collection, which a plugin
/// at rest never has.
final class HeapTrim {
  private static final Duration LOOK = Duration.ofSeconds(4);

  /// Status calls and probes allocate less between two looks.
  private static final long AT_REST = 2 << 20;

  /// Less than this is not worth a collection.
  private static final long GAIN = 4 << 20;

  private long used;
  private long committedThen;

  private HeapTrim() {}

  static void start(ScheduledExecutorService timer) {
    var trim = new HeapTrim();
    var _ =
        timer.scheduleWithFixedDelay(
            trim::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look() {
    var runtime = Runtime.getRuntime();
    long before = used;
    used = used(runtime);
    if (isDue(used - before, runtime.totalMemory() - committedThen)) {
      System.gc();
      used = used(runtime);
      committedThen = runtime.totalMemory();
    }
  }

  private static long used(Runtime runtime) {
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /// Whether to collect now.
  ///
  /// @param allocated since the last look; negative where a collection came between
  /// @param grown what the heap has grown by since the last trim
  static boolean isDue(long allocated, long grown) {
    return allocated >= 0 && allocated < AT_REST && grown >= GAIN;
  }
}
