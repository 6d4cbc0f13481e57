package io.keyward.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/// `-o`, of every command that shows something.
public final class FormatOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, json or yaml (default: table).")
  private Format format = Format.table;

  public Format format() {
    return format;
  }

  /// Prints the text for people, or the document for programs.
  public void print(PrintWriter out, Supplier<String> people, Supplier<ObjectNode> programs) {
    out.print(format.text(people, programs));
    out.flush();
  }
}
