package io.keyward.storage.config.text;

import io.keyward.storage.config.text.ConfigNode.Field;
import io.keyward.storage.config.text.ConfigNode.Listing;
import io.keyward.storage.config.text.ConfigNode.Numeral;
import io.keyward.storage.config.text.ConfigNode.Text;
import io.keyward.storage.config.text.YamlNode.Alias;
import io.keyward.storage.config.text.YamlNode.Mapping;
import io.keyward.storage.config.text.YamlNode.Pair;
import io.keyward.storage.config.text.YamlNode.Scalar;
import io.keyward.storage.config.text.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Follows aliases, merges mappings and resolves scalars. Bounded as go-yaml is, by the share of
/// nodes that come from aliases.
final class YamlDecoder {
  private static final int FEW = 400_000;
  private static final int MANY = 4_000_000;

  /// Aliases of aliases nest deeper than the text does.
  private static final int MAX_DEPTH = 2_000;

  private final Set<Alias> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private int depth;

  /// The document itself counts.
  private int decoded = 1;

  private int fromAliases;

  ConfigNode decode(YamlNode node) {
    enter(node);
    ConfigNode result =
        switch (node) {
          case Scalar scalar -> ScalarResolver.resolve(scalar);
          case Alias alias -> {
            open(alias);
            ConfigNode target = decode(alias.target());
            open.remove(alias);
            yield target;
          }
          case Sequence sequence -> {
            var items = new ArrayList<ConfigNode>();
            sequence.items().forEach(item -> items.add(decode(item)));
            yield new Listing(items, sequence.line());
          }
          case Mapping mapping -> {
            var fields = new ArrayList<Field>();
            addFields(mapping, fields);
            yield new ConfigNode.Mapping(fields, mapping.line());
          }
        };
    depth--;
    return result;
  }

  private void enter(YamlNode node) {
    decoded++;
    if (!open.isEmpty()) {
      fromAliases++;
    }
    if (fromAliases > 100 && decoded > 1_000 && (double) fromAliases / decoded > allowedShare()) {
      throw new SyntaxException(
          "Aliases expand the document to too many values; kube-apiserver rejects excessive aliasing.",
          "replace the aliases with the values they stand for",
          node.line());
    }
    if (++depth > MAX_DEPTH) {
      throw new SyntaxException("Lists and objects are nested too deeply.", node.line());
    }
  }

  private double allowedShare() {
    if (decoded <= FEW) {
      return 0.99;
    }
    return decoded >= MANY ? 0.10 : 0.99 - 0.89 * ((double) (decoded - FEW) / (MANY - FEW));
  }

  private void open(Alias alias) {
    if (!open.add(alias)) {
      throw new SyntaxException("An anchor contains an alias of itself.", alias.line());
    }
  }

  private void addFields(Mapping mapping, List<Field> fields) {
    for (Pair pair : mapping.pairs()) {
      if (pair.key() instanceof Scalar key && key.isMerge()) {
        merge(pair.value(), fields);
      } else {
        ConfigNode key = decode(pair.key());
        fields.add(new Field(name(key), decode(pair.value()), pair.key().line()));
      }
    }
  }

  /// No configuration has a field whose name is not a text, so the exact name does not matter.
  private static String name(ConfigNode key) {
    return switch (key) {
      case Text(var value, _) -> value;
      case Numeral(var literal, _) -> literal;
      case ConfigNode.Truth(var value, _) -> Boolean.toString(value);
      case ConfigNode.Nothing _ -> "null";
      case Listing _, ConfigNode.Mapping _ ->
          throw new SyntaxException("A list or an object is used as a key.", key.line());
    };
  }

  /// go-yaml puts the fields of `<<` into the same mapping, so a repeated field is repeated,
  /// whichever comes first.
  private void merge(YamlNode source, List<Field> fields) {
    if (source instanceof Sequence sequence) {
      sequence.items().reversed().forEach(item -> mergeOne(item, fields));
    } else {
      mergeOne(source, fields);
    }
  }

  private void mergeOne(YamlNode source, List<Field> fields) {
    switch (source) {
      case Mapping mapping -> {
        enter(mapping);
        addFields(mapping, fields);
      }
      case Alias alias when alias.target() instanceof Mapping mapping -> {
        enter(alias);
        open(alias);
        enter(mapping);
        addFields(mapping, fields);
        open.remove(alias);
        depth--;
      }
      case Alias _, Scalar _, Sequence _ ->
          throw new SyntaxException("<< must name an object, or a list of objects.", source.line());
    }
    depth--;
  }
}
