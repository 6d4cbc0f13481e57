package io.keyward.kms.plugin.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import io.keyward.kms.plugin.config.PluginConfig.LogFormat;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

final class LogSetupTest {
  private static LogRecord event(String message) {
    var event = new LogRecord(Level.WARNING, message);
    event.setInstant(Instant.parse("2026-01-15T10:00:00.123456Z"));
    event.setLoggerName("io.keyward.test");
    event.setParameters(new Object[] {"payments"});
    event.setThrown(new IllegalStateException("the password is hunter2"));
    return event;
  }

  @Test
  void aTextLineIsOneLine() {
    String line = LogSetup.formatter(LogFormat.TEXT).format(event("key {0}\nis bad"));
    assertThat(line)
        .startsWith("2026-01-15T10:00:00.123Z WARN key payments is bad: ")
        .endsWith("\n")
        .contains("java.lang.IllegalStateException at io.keyward");
    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
  }

  @Test
  void aJsonLineIsOneObject() throws IOException {
    String line = LogSetup.formatter(LogFormat.JSON).format(event("key {0} says \"no\"\n"));
    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
    assertThat(fields(line))
        .containsEntry("time", "2026-01-15T10:00:00.123Z")
        .containsEntry("level", "WARN")
        .containsEntry("logger", "io.keyward.test")
        .containsEntry("message", "key payments says \"no\"\n");
  }

  @Test
  void theMessageOfAForeignExceptionIsNeverLogged() {
    for (LogFormat format : LogFormat.values()) {
      assertThat(LogSetup.formatter(format).format(event("x"))).doesNotContain("hunter2");
    }
  }

  private static Map<String, String> fields(String json) throws IOException {
    var found = new HashMap<String, String>();
    try (var parser = new JsonFactory().createParser(json)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          found.put(name, parser.getText());
        }
      }
    }
    return found;
  }
}
