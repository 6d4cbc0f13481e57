package io.keyward.storage.config.text;

import java.util.ArrayList;
import java.util.List;

/// A node of YAML before tags are resolved, aliases followed and mappings merged.
///
/// Collections are filled after they are created, because an alias inside may name them.
sealed interface YamlNode {
  /// Counts from 1.
  int line();

  /// `implicit`: the text alone says what type it has.
  record Scalar(String value, String tag, boolean implicit, int line) implements YamlNode {
    static Scalar empty(int line) {
      return new Scalar("", "", true, line);
    }

    boolean isMerge() {
      return value.equals("<<") && (implicit || tag.equals("tag:yaml.org,2002:merge"));
    }
  }

  /// Two aliases of one anchor are two nodes: identity matters when one contains itself.
  final class Alias implements YamlNode {
    private final YamlNode target;
    private final int line;

    Alias(YamlNode target, int line) {
      this.target = target;
      this.line = line;
    }

    YamlNode target() {
      return target;
    }

    @Override
    public int line() {
      return line;
    }
  }

  final class Sequence implements YamlNode {
    private final List<YamlNode> items = new ArrayList<>();
    private final int line;

    Sequence(int line) {
      this.line = line;
    }

    List<YamlNode> items() {
      return items;
    }

    @Override
    public int line() {
      return line;
    }
  }

  final class Mapping implements YamlNode {
    private final List<Pair> pairs = new ArrayList<>();
    private final int line;

    Mapping(int line) {
      this.line = line;
    }

    List<Pair> pairs() {
      return pairs;
    }

    @Override
    public int line() {
      return line;
    }
  }

  record Pair(YamlNode key, YamlNode value) {}
}
