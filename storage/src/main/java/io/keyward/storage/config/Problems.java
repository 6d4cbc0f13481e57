package io.keyward.storage.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Collects errors, and knows on which line each field stands.
final class Problems {
  private final Map<String, Integer> lines = new HashMap<>();
  private final List<ConfigError> errors = new ArrayList<>();

  void place(String field, int line) {
    lines.putIfAbsent(field, line);
  }

  void add(String field, String type, String detail, String remedy) {
    errors.add(new ConfigError(field, type, detail, remedy, lineOf(field)));
  }

  List<ConfigError> errors() {
    return errors;
  }

  /// The line of the field, or of the nearest thing around it that is there.
  int lineOf(String field) {
    String path = field;
    while (true) {
      Integer line = lines.get(path);
      if (line != null) {
        return line;
      }
      int cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
      if (cut < 0) {
        return 1;
      }
      path = path.substring(0, cut);
    }
  }
}
