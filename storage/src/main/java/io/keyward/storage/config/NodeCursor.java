package io.keyward.storage.config;

import io.keyward.storage.config.text.ConfigNode;
import io.keyward.storage.config.text.ConfigNode.Field;
import io.keyward.storage.config.text.ConfigNode.Listing;
import io.keyward.storage.config.text.ConfigNode.Mapping;
import io.keyward.storage.config.text.ConfigNode.Nothing;
import io.keyward.storage.config.text.ConfigNode.Numeral;
import io.keyward.storage.config.text.ConfigNode.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads typed values out of a tree. A value that does not fit becomes a decode error, never a
/// throw.
final class NodeCursor {
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,10}");

  private final Problems problems;

  NodeCursor(Problems problems) {
    this.problems = problems;
  }

  /// The fields of an object. Unknown and repeated ones are errors: Kubernetes reads strictly. A
  /// list item without a value is an object without fields.
  Map<String, ConfigNode> fields(ConfigNode node, String path, Set<String> known) {
    var fields = new HashMap<String, ConfigNode>();
    switch (node) {
      case Mapping(var entries, _) -> {
        for (Field entry : entries) {
          add(entry, path, known, fields);
        }
      }
      case Nothing _ -> {}
      case Text _, Numeral _, ConfigNode.Truth _, Listing _ -> wrongType(path, "an object");
    }
    fields.values().removeIf(Nothing.class::isInstance);
    return fields;
  }

  private void add(Field entry, String path, Set<String> known, Map<String, ConfigNode> fields) {
    String field = path.isEmpty() ? entry.name() : path + "." + entry.name();
    problems.place(field, entry.line());
    if (!known.contains(entry.name())) {
      problems.add(
          field, ConfigError.DECODE, "unknown field", "check the spelling, upper case included");
    } else if (fields.put(entry.name(), entry.value()) != null) {
      problems.add(field, ConfigError.DECODE, "field is set twice", "keep one of them");
    }
  }

  List<ConfigNode> items(ConfigNode node, String path) {
    if (!(node instanceof Listing(var items, _))) {
      wrongType(path, "a list");
      return List.of();
    }
    for (int i = 0; i < items.size(); i++) {
      problems.place(path + "[" + i + "]", items.get(i).line());
    }
    return items;
  }

  String text(Optional<ConfigNode> node, String path) {
    return switch (node.orElse(new Nothing(1))) {
      case Text(var value, _) -> value;
      case Nothing _ -> "";
      case Numeral _, ConfigNode.Truth _, Listing _, Mapping _ -> {
        wrongType(path, "a text; put it in quotes");
        yield "";
      }
    };
  }

  Optional<Integer> integer(Optional<ConfigNode> node, String path) {
    if (node.isEmpty()) {
      return Optional.empty();
    }
    if (node.get() instanceof Numeral(var literal, _) && INTEGER.matcher(literal).matches()) {
      long number = Long.parseLong(literal);
      if (number == (int) number) {
        return Optional.of((int) number);
      }
    }
    wrongType(path, "a whole number of 32 bits");
    return Optional.empty();
  }

  private void wrongType(String path, String wanted) {
    problems.add(path, ConfigError.DECODE, "wrong type", "must be " + wanted);
  }
}
