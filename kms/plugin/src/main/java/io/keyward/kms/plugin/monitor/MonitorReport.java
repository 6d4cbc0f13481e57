package io.keyward.kms.plugin.monitor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.keyward.kms.client.PluginStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// One round of probes.
record MonitorReport(Instant written, List<Entry> entries) {
  /// Any plugin may send any text. More than a key_id may have is enough for a reader.
  private static final int LONGEST_TEXT = 2_000;

  private static final JsonFactory JSON = new JsonFactory();

  MonitorReport {
    entries = List.copyOf(entries);
  }

  /// One plugin.
  ///
  /// @param checked when its probe began
  /// @param warnings empty if another process serves the key
  record Entry(
      String key,
      String endpoint,
      Instant checked,
      ProbeOutcome outcome,
      Optional<List<String>> warnings) {}

  String json() {
    var text = new StringWriter();
    try (var json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("writtenTime", seconds(written));
      json.writeArrayFieldStart("plugins");
      for (Entry entry : entries) {
        write(entry, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string writer does not fail", e);
    }
    return text.append('\n').toString();
  }

  private static void write(Entry entry, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("keyID", entry.key());
    json.writeStringField("endpoint", entry.endpoint());
    json.writeStringField("checkedTime", seconds(entry.checked()));
    switch (entry.outcome()) {
      case ProbeOutcome.Answer(PluginStatus(var version, var healthz, var id)) -> {
        json.writeStringField("version", cut(version));
        json.writeStringField("healthz", cut(healthz));
        json.writeStringField("remoteKeyID", cut(id));
      }
      case ProbeOutcome.Failure(var words) -> json.writeStringField("error", cut(words));
    }
    if (entry.warnings().isPresent()) {
      json.writeArrayFieldStart("warnings");
      for (String warning : entry.warnings().orElseThrow()) {
        json.writeString(cut(warning));
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// Never between the halves of a character.
  private static String cut(String text) {
    if (text.length() <= LONGEST_TEXT) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(LONGEST_TEXT - 1));
    return text.substring(0, splits ? LONGEST_TEXT - 1 : LONGEST_TEXT);
  }
}
