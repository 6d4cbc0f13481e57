package io.keyward.cli.plugin;

import io.keyward.cli.ExitCode;
import io.keyward.kms.plugin.Plugin;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Stops the plugin on a signal, at whatever moment the signal comes.
///
/// Installed before anything else. A signal during the start waits until the start has succeeded or
/// failed, which takes about a second: a plugin that is stopped halfway would leave files behind.
final class PluginStop {
  /// A start that hangs must not block the stop for ever.
  private static final int LONGEST_START_SECONDS = 20;

  private final Thread hook = new Thread(this::run, "stop");
  private final CountDownLatch settled = new CountDownLatch(1);
  private volatile boolean starting;
  private volatile @Nullable Plugin plugin;
  private volatile Consumer<String> lastLine = line -> {};

  private PluginStop() {}

  static PluginStop install() {
    var stop = new PluginStop();
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  /// The command fails by itself: its exit code counts. A signal that came before still wins.
  void disarm() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      // The hook runs already and exits the process.
    }
  }

  /// From now on there may be something to clean up.
  void begin() {
    starting = true;
  }

  void started(Plugin running, Consumer<String> log) {
    lastLine = log;
    plugin = running;
  }

  /// The start has succeeded or failed.
  void settled() {
    settled.countDown();
  }

  /// Without the last line the JVM would report the signal as a failure (exit code 143), and a
  /// service manager would take a normal stop for a crash.
  private void run() {
    try {
      if (starting) {
        var _ = settled.await(LONGEST_START_SECONDS, TimeUnit.SECONDS);
      }
      Optional.ofNullable(plugin)
          .ifPresent(running -> {
            running.drain();
            lastLine.accept("stopped");
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ExitCode.FINE);
  }
}
