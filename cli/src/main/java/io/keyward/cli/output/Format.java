package io.keyward.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;

/// How a command prints its data: `-o table` for people, `-o json` and `-o yaml` for programs.
public enum Format {
  table,
  json,
  yaml;

  /// The text for people, or the document for programs.
  public String text(Supplier<String> people, Supplier<ObjectNode> programs) {
    return switch (this) {
      case table -> people.get();
      case json -> Document.json(programs.get());
      case yaml -> Document.yaml(programs.get());
    };
  }
}
