package io.keyward.storage.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// Reads typed values out of a tree. Whatever does not fit becomes a decode error, never a throw.
final class NodeCursor {
  /// Aliases can make a small file huge; no honest configuration comes near.
  private static final int MAX_NODES = 1_000_000;

  private static final int MAX_MERGES = 10;

  private final Problems problems;
  private int seen;

  NodeCursor(Problems problems) {
    this.problems = problems;
  }

  /// The fields of a mapping. Unknown and repeated ones are errors: Kubernetes reads strictly.
  Map<String, Node> fields(Node node, String path, Set<String> known) {
    var fields = new HashMap<String, Node>();
    if (!(node instanceof MappingNode mapping)) {
      wrongType(path, "an object");
      return fields;
    }
    for (NodeTuple tuple : merged(mapping, path, 0)) {
      String name = tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
      String field = path.isEmpty() ? name : path + "." + name;
      problems.place(field, YamlNodes.line(tuple.getKeyNode().getStartMark()));
      if (!known.contains(name)) {
        problems.add(
            field, ConfigError.DECODE, "unknown field", "check the spelling, upper case included");
      } else if (fields.put(name, tuple.getValueNode()) != null) {
        problems.add(field, ConfigError.DECODE, "field is set twice", "keep one of them");
      }
    }
    fields.values().removeIf(NodeCursor::isNull);
    return fields;
  }

  /// With the fields of other mappings that a `<<` brings in. As in Kubernetes a merge never wins
  /// nor loses: a field that is there already is set twice.
  private List<NodeTuple> merged(MappingNode mapping, String path, int depth) {
    var tuples = new ArrayList<NodeTuple>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!isMerge(tuple.getKeyNode())) {
        tuples.add(tuple);
      } else if (depth < MAX_MERGES && seen < MAX_NODES) {
        for (Node source : sources(tuple.getValueNode())) {
          if (source instanceof MappingNode known) {
            tuples.addAll(merged(known, path, depth + 1));
          } else {
            wrongType(path + ".<<", "an object, or a list of objects");
          }
        }
      } else {
        wrongType(path + ".<<", "merged less deeply");
      }
      seen++;
    }
    return tuples;
  }

  private static boolean isMerge(Node key) {
    return key instanceof ScalarNode scalar
        && scalar.getScalarStyle() == ScalarStyle.PLAIN
        && scalar.getValue().equals("<<");
  }

  private static List<Node> sources(Node node) {
    return node instanceof SequenceNode sequence ? sequence.getValue() : List.of(node);
  }

  List<Node> items(Node node, String path) {
    if (!(node instanceof SequenceNode sequence)) {
      wrongType(path, "a list");
      return List.of();
    }
    var items = new ArrayList<Node>();
    for (Node item : sequence.getValue()) {
      problems.place(path + "[" + items.size() + "]", YamlNodes.line(item.getStartMark()));
      items.add(item);
      if (++seen > MAX_NODES) {
        wrongType(path, "a list of sane length");
        return List.of();
      }
    }
    return items;
  }

  String text(Optional<Node> node, String path) {
    if (node.isEmpty() || isNull(node.get())) {
      return "";
    }
    if (node.get() instanceof ScalarNode scalar && ScalarType.of(scalar) == ScalarType.TEXT) {
      return scalar.getValue();
    }
    wrongType(path, "a text; put it in quotes");
    return "";
  }

  Optional<Integer> integer(Optional<Node> node, String path) {
    if (node.isEmpty()) {
      return Optional.empty();
    }
    if (node.get() instanceof ScalarNode scalar && ScalarType.of(scalar) == ScalarType.INTEGER) {
      try {
        return Optional.of(Integer.decode(scalar.getValue().replace("_", "")));
      } catch (NumberFormatException tooLarge) {
        wrongType(path, "a number of 32 bits");
        return Optional.empty();
      }
    }
    wrongType(path, "a whole number");
    return Optional.empty();
  }

  static boolean isNull(Node node) {
    return node instanceof ScalarNode scalar && ScalarType.of(scalar) == ScalarType.NULL;
  }

  private void wrongType(String path, String wanted) {
    problems.add(path, ConfigError.DECODE, "wrong type", "must be " + wanted);
  }
}
