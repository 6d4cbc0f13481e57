package io.keyward.cli.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.output.Document;
import io.keyward.cli.output.KubeYaml;
import io.keyward.cli.output.Printable;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;

/// Writes inspected values one by one, so that a long input needs no memory.
sealed interface ValueWriter {
  String LIST = "StoredValueList";

  void write(ObjectNode value);

  void end();

  static ValueWriter of(InspectCommand.Output output, PrintWriter out) {
    return switch (output) {
      case jsonl -> new Lines(out);
      case json -> new Json(out);
      case yaml -> new Yaml(out);
      case table -> new Table(out);
    };
  }

  /// One object a line.
  record Lines(PrintWriter out) implements ValueWriter {
    @Override
    public void write(ObjectNode value) {
      out.println(Document.of("StoredValue").setAll(value).toString());
    }

    @Override
    public void end() {}
  }

  /// One JSON object with a list.
  final class Json implements ValueWriter {
    private final PrintWriter out;
    private String before = "[ ";

    Json(PrintWriter out) {
      this.out = out;
      String start = Document.of(LIST).toPrettyString();
      out.print(start.substring(0, start.lastIndexOf('\n')) + ",\n  \"values\" : ");
    }

    @Override
    public void write(ObjectNode value) {
      out.print(before + value.toPrettyString().replace("\n", "\n  "));
      before = ", ";
    }

    @Override
    public void end() {
      out.println((before.equals("[ ") ? before : " ") + "]\n}");
    }
  }

  /// One YAML document with a list.
  final class Yaml implements ValueWriter {
    private final PrintWriter out;
    private boolean begun;

    Yaml(PrintWriter out) {
      this.out = out;
      out.print(Document.yaml(Document.of(LIST)) + "values:");
    }

    @Override
    public void write(ObjectNode value) {
      out.print((begun ? "" : "\n") + KubeYaml.item(Document.fields(value)));
      begun = true;
    }

    @Override
    public void end() {
      out.print(begun ? "" : " []\n");
    }
  }

  /// For people. Wide values come last, so that columns stay where they are.
  final class Table implements ValueWriter {
    private final PrintWriter out;
    private boolean begun;

    Table(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void write(ObjectNode value) {
      if (!begun) {
        row("PROVIDER", "NAME", "KEK", "STALE", "BYTES", "STATE", "KEY");
        begun = true;
      }
      row(
          value.path("provider").asText(),
          text(value.path("name")),
          text(value.path("keyId")),
          value.has("stale") ? value.path("stale").asText() : "-",
          value.path("size").asText(),
          state(value),
          value.path("key").asText() + why(value));
    }

    /// What a plugin said stands in no column: it is long, and rare.
    private static String why(ObjectNode value) {
      return value.has("error") ? "  " + value.path("error").asText() : "";
    }

    private static String text(JsonNode node) {
      return node.isMissingNode() || node.asText().isEmpty() ? "-" : node.asText();
    }

    private static String state(ObjectNode value) {
      if (value.has("ok")) {
        return value.path("ok").asBoolean() ? "readable" : value.path("errorClass").asText();
      }
      if (value.has("problem")) {
        return "malformed";
      }
      return value.path("encrypted").asBoolean() ? "encrypted" : "PLAINTEXT";
    }

    private void row(Object... cells) {
      Object[] safe = Arrays.stream(cells).map(String::valueOf).map(Printable::of).toArray();
      out.println(String.format(Locale.ROOT, "%-10s %-20s %-24s %-6s %9s  %-13s %s", safe));
    }

    @Override
    public void end() {
      if (!begun) {
        out.println("no values");
      }
    }
  }
}
