package io.keyward.kms.plugin.config;

import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SettingsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// One mapping of a YAML file that remembers its lines and collects what is wrong with it.
final class YamlMap {
  private final String file;
  private final Node node;
  private final List<ConfigProblem> problems;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Node> names = new HashMap<>();

  YamlMap(String file, Node node, List<ConfigProblem> problems) {
    this.file = file;
    this.node = node;
    this.problems = problems;
    if (node instanceof MappingNode mapping) {
      mapping.getValue().forEach(this::add);
    } else {
      wrong(node, "expected settings, as in 'name: value'");
    }
  }

  private void add(NodeTuple tuple) {
    if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
      wrong(tuple.getKeyNode(), "a setting's name must be plain text");
    } else if (values.putIfAbsent(name.getValue(), tuple.getValueNode()) != null) {
      wrong(name, "setting '" + name.getValue() + "' is given twice");
    } else {
      names.put(name.getValue(), name);
    }
  }

  /// Refuses every setting that is not in `known`, with the name that was probably meant.
  void allow(Set<String> known, String owner) {
    for (var entry : names.entrySet()) {
      if (!known.contains(entry.getKey())) {
        wrong(
            entry.getValue(),
            "unknown setting '"
                + entry.getKey()
                + "' of "
                + owner
                + NearestName.hint(entry.getKey(), known));
      }
    }
  }

  Optional<String> text(String name) {
    Node value = values.get(name);
    if (value instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
      return Optional.of(scalar.getValue());
    }
    if (value != null) {
      wrong(value, "setting '" + name + "' must be plain text and not empty");
    }
    return Optional.empty();
  }

  /// A whole number from `least` to `most`.
  long number(String name, long otherwise, long least, long most) {
    Optional<String> given = text(name);
    if (given.isEmpty()) {
      return otherwise;
    }
    if (given.get().matches("[0-9]{1,18}")) {
      long value = Long.parseLong(given.get());
      if (value >= least && value <= most) {
        return value;
      }
    }
    wrong(name, "setting '" + name + "' must be a number from " + least + " to " + most);
    return otherwise;
  }

  Duration duration(String name, Duration otherwise, Duration least, Duration most) {
    Optional<String> given = text(name);
    if (given.isEmpty()) {
      return otherwise;
    }
    try {
      Duration value = ProviderSettings.parseDuration(name, given.get());
      if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
        return value;
      }
      wrong(name, "setting '" + name + "' must be between " + words(least) + " and " + words(most));
    } catch (SettingsException e) {
      wrong(name, "setting '" + name + "' " + e.problem());
    }
    return otherwise;
  }

  private static String words(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  Optional<String> requiredText(String name, String owner) {
    if (!values.containsKey(name)) {
      wrong(node, owner + " lacks the setting '" + name + "'");
      return Optional.empty();
    }
    return text(name);
  }

  boolean flag(String name) {
    Optional<String> given = text(name);
    if (given.isPresent() && !given.get().equals("true") && !given.get().equals("false")) {
      wrong(name, "setting '" + name + "' must be true or false: " + given.get());
    }
    return given.isPresent() && given.get().equals("true");
  }

  List<String> texts(String name) {
    Node value = values.get(name);
    if (value == null) {
      return List.of();
    }
    var found = new ArrayList<String>();
    for (Node item : items(name)) {
      if (item instanceof ScalarNode scalar) {
        found.add(scalar.getValue());
      } else {
        wrong(item, "setting '" + name + "' must be a list of plain texts");
      }
    }
    return found;
  }

  List<Node> items(String name) {
    Node value = values.get(name);
    if (value instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    if (value != null) {
      wrong(value, "setting '" + name + "' must be a list");
    }
    return List.of();
  }

  Optional<YamlMap> map(String name) {
    return Optional.ofNullable(values.get(name)).map(value -> new YamlMap(file, value, problems));
  }

  boolean isMap(String name) {
    return values.get(name) instanceof MappingNode;
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  Set<String> names() {
    return values.keySet();
  }

  /// Notes a problem with the setting `name`, or with the whole map where it is not given.
  void wrong(String name, String problem) {
    wrong(values.getOrDefault(name, node), problem);
  }

  private void wrong(Node where, String problem) {
    problems.add(new ConfigProblem(place(where), problem));
  }

  String place(String name) {
    return place(values.getOrDefault(name, node));
  }

  private String place(Node where) {
    return where.getStartMark().map(mark -> file + ":" + (mark.getLine() + 1)).orElse(file);
  }
}
