package io.keyward.storage.config;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/// The tree of the first YAML or JSON document in a text.
final class YamlNodes {
  /// Exactly one of the two is set; `line` belongs to the error.
  record Tree(Optional<Node> root, Optional<String> error, int line) {}

  /// A configuration nests seven deep. Deeper trees would only exhaust the stack.
  private static final int MAX_DEPTH = 50;

  private static final LoadSettings SETTINGS = LoadSettings.builder().build();

  private YamlNodes() {}

  static Tree read(String document) {
    // JSON may be indented by tabs; inside its strings a tab is not legal anyway.
    String text = document.stripLeading().startsWith("{") ? document.replace('\t', ' ') : document;
    try {
      if (depth(text) > MAX_DEPTH) {
        return failed("nested too deeply", 1);
      }
      for (Node first : new Compose(SETTINGS).composeAllFromString(text)) {
        return new Tree(Optional.of(first), Optional.empty(), 0);
      }
      return failed("file is empty", 1);
    } catch (MarkedYamlEngineException e) {
      return failed("not YAML or JSON: " + e.getProblem(), line(e.getProblemMark()));
    } catch (YamlEngineException e) {
      return failed("not YAML or JSON", 1);
    }
  }

  private static Tree failed(String error, int line) {
    return new Tree(Optional.empty(), Optional.of(error), line);
  }

  static int line(Optional<Mark> mark) {
    return mark.map(known -> known.getLine() + 1).orElse(1);
  }

  /// Of the first document: kube-apiserver does not look at what follows it.
  private static int depth(String text) {
    int depth = 0;
    int deepest = 0;
    for (Event event : new Parse(SETTINGS).parseString(text)) {
      switch (event.getEventId()) {
        case MappingStart, SequenceStart -> deepest = Math.max(deepest, ++depth);
        case MappingEnd, SequenceEnd -> depth--;
        case DocumentEnd -> {
          return deepest;
        }
        case Alias, Comment, DocumentStart, Scalar, StreamEnd, StreamStart -> {}
      }
      if (deepest > MAX_DEPTH) {
        return deepest;
      }
    }
    return deepest;
  }
}
