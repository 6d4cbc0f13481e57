package io.keyward.storage.config;

import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/// What an unquoted word means to Kubernetes, whose YAML is version 1.1: `no` is not a text there.
enum ScalarType {
  TEXT,
  INTEGER,
  NUMBER,
  BOOLEAN,
  NULL;

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Pattern BOOLEANS =
      Pattern.compile(
          "y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF");
  private static final Pattern INTEGERS =
      Pattern.compile("[-+]?(0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|\\d[\\d_]*)");
  private static final Pattern NUMBERS =
      Pattern.compile(
          "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  static ScalarType of(ScalarNode node) {
    if (node.getScalarStyle() != ScalarStyle.PLAIN) {
      return TEXT;
    }
    String word = node.getValue();
    if (NULLS.contains(word)) {
      return NULL;
    }
    if (BOOLEANS.matcher(word).matches()) {
      return BOOLEAN;
    }
    if (INTEGERS.matcher(word).matches()) {
      return INTEGER;
    }
    return NUMBERS.matcher(word).matches() ? NUMBER : TEXT;
  }
}
