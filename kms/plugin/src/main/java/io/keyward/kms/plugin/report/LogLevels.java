package io.keyward.kms.plugin.report;

import java.util.logging.Level;

/// The words for levels that log collectors know, and stack traces on one line.
final class LogLevels {
  private static final int FRAMES = 12;

  private LogLevels() {}

  static String name(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return "WARN";
    }
    return level.intValue() >= Level.INFO.intValue() ? "INFO" : "DEBUG";
  }

  /// Types and places only. A message of a foreign exception may hold anything.
  static String trace(Throwable thrown) {
    var text = new StringBuilder();
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      text.append(text.isEmpty() ? "" : " caused by ").append(t.getClass().getName());
      StackTraceElement[] frames = t.getStackTrace();
      for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
        text.append(" at ").append(frames[i]);
      }
    }
    return text.toString();
  }
}
