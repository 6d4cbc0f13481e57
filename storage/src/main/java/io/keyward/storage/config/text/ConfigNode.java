package io.keyward.storage.config.text;

import java.util.List;

/// A document after its text is understood: what kube-apiserver sees once YAML has become JSON.
public sealed interface ConfigNode {
  /// Counts from 1.
  int line();

  record Text(String value, int line) implements ConfigNode {}

  /// A number as JSON writes it.
  record Numeral(String literal, int line) implements ConfigNode {}

  record Truth(boolean value, int line) implements ConfigNode {}

  record Nothing(int line) implements ConfigNode {}

  record Listing(List<ConfigNode> items, int line) implements ConfigNode {}

  record Mapping(List<Field> fields, int line) implements ConfigNode {}

  /// A name may occur twice: the reader of a mapping decides what that means.
  record Field(String name, ConfigNode value, int line) {}
}
