package io.keyward.kms.plugin.report;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/// One JSON object per event and line, with the fields `time`, `level`, `logger`, `message`,
/// `error`.
final class JsonLines extends Formatter {
  private static final JsonFactory JSON = new JsonFactory();

  @Override
  public String format(LogRecord event) {
    var text = new StringWriter();
    try (var json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("time", event.getInstant().truncatedTo(ChronoUnit.MILLIS).toString());
      json.writeStringField("level", LogLevels.name(event.getLevel()));
      json.writeStringField("logger", event.getLoggerName());
      json.writeStringField("message", formatMessage(event));
      if (event.getThrown() != null) {
        json.writeStringField("error", LogLevels.trace(event.getThrown()));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string writer does not fail", e);
    }
    return text.append('\n').toString();
  }
}
