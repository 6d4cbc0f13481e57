package io.keyward.kms.plugin.report;

import io.keyward.kms.plugin.config.PluginConfig.LogFormat;
import java.util.function.Consumer;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Sends all log lines to standard error in one format.
public final class LogSetup {
  private LogSetup() {}

  /// Takes over the log of the whole process.
  ///
  /// @return logs one more line while the JVM shuts down, when it has already taken the handlers
  ///   away
  public static Consumer<String> use(LogFormat format) {
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    var console = new ConsoleHandler();
    console.setLevel(Level.ALL);
    console.setFormatter(formatter(format));
    root.addHandler(console);
    root.setLevel(Level.INFO);
    // Both libraries warn about things that only their authors can act on.
    Logger.getLogger("io.grpc").setLevel(Level.WARNING);
    Logger.getLogger("io.netty").setLevel(Level.WARNING);
    return line -> console.publish(new LogRecord(Level.INFO, line));
  }

  static Formatter formatter(LogFormat format) {
    return switch (format) {
      case TEXT -> new TextLines();
      case JSON -> new JsonLines();
    };
  }
}
