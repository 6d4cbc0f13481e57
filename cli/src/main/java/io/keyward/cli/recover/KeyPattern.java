package io.keyward.cli.recover;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Chooses etcd keys. `*` stays within one part of the key, `**` does not.
record KeyPattern(Pattern pattern) {
  static KeyPattern of(List<String> globs) {
    return new KeyPattern(
        Pattern.compile(
            globs.stream().map(KeyPattern::expression).collect(Collectors.joining("|")),
            // Names of RBAC objects may hold line breaks.
            Pattern.DOTALL));
  }

  private static String expression(String glob) {
    var expression = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      if (c != '*') {
        expression.append(Pattern.quote(String.valueOf(c)));
      } else if (i + 1 < glob.length() && glob.charAt(i + 1) == '*') {
        expression.append(".*");
        i++;
      } else {
        expression.append("[^/]*");
      }
    }
    return expression.toString();
  }

  boolean matches(String key) {
    return pattern.matcher(key).matches();
  }
}
