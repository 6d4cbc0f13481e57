package io.keyward.cli.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.output.Printable;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;

/// Writes inspected values one by one, so that a long input needs no memory.
sealed interface ValueWriter {
  void write(ObjectNode value);

  void end();

  static ValueWriter of(InspectCommand.Output output, PrintWriter out) {
    return switch (output) {
      case jsonl -> new Lines(out);
      case json -> new Array(out);
      case table -> new Table(out);
    };
  }

  /// One object a line.
  record Lines(PrintWriter out) implements ValueWriter {
    @Override
    public void write(ObjectNode value) {
      out.println(value);
    }

    @Override
    public void end() {}
  }

  /// One JSON list.
  final class Array implements ValueWriter {
    private final PrintWriter out;
    private String before = "[";

    Array(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void write(ObjectNode value) {
      out.println(before);
      out.print(value.toPrettyString());
      before = ",";
    }

    @Override
    public void end() {
      out.println(before.equals("[") ? "[]" : "\n]");
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
