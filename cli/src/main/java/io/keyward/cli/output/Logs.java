package io.keyward.cli.output;

import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Log lines of commands: one line each, on standard error, without stack traces. What a library
/// logs is silenced, because the command that uses it reports each failure itself.
public final class Logs {
  /// Held, or the JVM forgets their levels.
  private static final List<Logger> LIBRARIES =
      List.of(
          Logger.getLogger("io.fabric8"),
          Logger.getLogger("io.grpc"),
          Logger.getLogger("io.netty"),
          Logger.getLogger("jdk.internal.net.http"));

  /// Set to anything, it shows what libraries log, and the stack trace of a failure.
  public static final String DEBUG = "KEYWARD_DEBUG";

  private Logs() {}

  public static boolean isDebugging() {
    return System.getenv(DEBUG) != null;
  }

  public static void setUp() {
    LIBRARIES.forEach(library -> library.setLevel(isDebugging() ? Level.INFO : Level.OFF));
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    var console = new ConsoleHandler();
    console.setFormatter(new Line());
    root.addHandler(console);
  }

  private static final class Line extends Formatter {
    @Override
    public String format(LogRecord record) {
      Throwable cause = record.getThrown();
      String reason = cause == null ? "" : ": " + cause.getClass().getSimpleName();
      String detail = cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage();
      String text = Printable.of(formatMessage(record) + reason + detail);
      return record.getInstant() + " " + record.getLevel().getName() + " " + text + "\n";
    }
  }
}
