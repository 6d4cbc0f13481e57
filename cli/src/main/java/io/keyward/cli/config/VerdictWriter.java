package io.keyward.cli.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.output.Document;
import io.keyward.storage.config.ConfigError;
import io.keyward.storage.config.ConfigVerdict;
import io.keyward.storage.config.ConfigVerdict.Accepted;
import io.keyward.storage.config.ConfigVerdict.Refused;
import io.keyward.storage.config.ConfigWarning;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/// Verdicts as text and JSON.
final class VerdictWriter {
  private VerdictWriter() {}

  static String text(Map<Path, ConfigVerdict> verdicts) {
    return verdicts.entrySet().stream()
        .map(one -> text(one.getKey(), one.getValue()))
        .collect(Collectors.joining());
  }

  private static String text(Path file, ConfigVerdict verdict) {
    var text = new StringBuilder();
    switch (verdict) {
      case Accepted(_, var warnings) -> {
        text.append(file).append(": accepted\n");
        warnings.forEach(warning -> append(text, file, warning));
      }
      case Refused(var stage, var errors) -> {
        text.append(file).append(": refused when the API server would ").append(stage.word());
        text.append(" it\n");
        errors.forEach(error -> append(text, file, error));
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Path file, ConfigWarning warning) {
    place(text, file, warning.line()).append("warning: ").append(warning.field()).append(": ");
    text.append(warning.kind().words()).append("\n    ").append(warning.kind().remedy());
    text.append('\n');
  }

  private static void append(StringBuilder text, Path file, ConfigError error) {
    place(text, file, error.line()).append("error: ");
    if (!error.field().isEmpty()) {
      text.append(error.field()).append(": ");
    }
    text.append(error.detail()).append("\n    ").append(error.remedy()).append('\n');
  }

  private static StringBuilder place(StringBuilder text, Path file, int line) {
    return text.append("  ").append(file).append(':').append(line).append(": ");
  }

  /// With one object for each file.
  static ObjectNode document(Map<Path, ConfigVerdict> verdicts) {
    ObjectNode document = Document.of("ConfigValidation");
    ArrayNode all = document.putArray("files");
    verdicts.forEach((file, verdict) -> all.add(json(file, verdict)));
    return document;
  }

  private static ObjectNode json(Path file, ConfigVerdict verdict) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("file", file.toString());
    switch (verdict) {
      case Accepted(_, var warnings) -> {
        json.put("ok", true).putArray("errors");
        ArrayNode list = json.putArray("warnings");
        warnings.forEach(warning -> list.add(json(warning)));
      }
      case Refused(var stage, var errors) -> {
        ArrayNode list = json.put("ok", false).put("stage", stage.word()).putArray("errors");
        errors.forEach(error -> list.add(json(error)));
        json.putArray("warnings");
      }
    }
    return json;
  }

  private static ObjectNode json(ConfigError error) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("field", error.field())
        .put("type", error.type())
        .put("detail", error.detail())
        .put("remedy", error.remedy())
        .put("line", error.line());
  }

  private static ObjectNode json(ConfigWarning warning) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("field", warning.field())
        .put("kind", warning.kind().name())
        .put("detail", warning.kind().words())
        .put("remedy", warning.kind().remedy())
        .put("line", warning.line());
  }
}
