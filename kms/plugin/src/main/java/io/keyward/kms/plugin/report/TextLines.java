package io.keyward.kms.plugin.report;

import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/// `2026-01-15T10:00:00.123Z INFO key payments is usable`: one event, one line.
final class TextLines extends Formatter {
  @Override
  public String format(LogRecord event) {
    var line = new StringBuilder();
    line.append(event.getInstant().truncatedTo(ChronoUnit.MILLIS))
        .append(' ')
        .append(LogLevels.name(event.getLevel()))
        .append(' ')
        .append(formatMessage(event).replace('\n', ' '));
    if (event.getThrown() != null) {
      line.append(": ").append(LogLevels.trace(event.getThrown()));
    }
    return line.append('\n').toString();
  }
}
