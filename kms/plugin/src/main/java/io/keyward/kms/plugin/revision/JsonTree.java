package io.keyward.kms.plugin.revision;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A JSON document as maps, lists and texts. Small: a plugin starts without an object mapper.
final class JsonTree {
  private JsonTree() {}

  /// @throws IOException if it is no JSON
  static Object parse(String text) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      parser.nextToken();
      return value(parser);
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("an empty document");
    }
    if (token == JsonToken.START_OBJECT) {
      var members = new LinkedHashMap<String, Object>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        members.put(name, value(parser));
      }
      return members;
    }
    if (token == JsonToken.START_ARRAY) {
      var entries = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        entries.add(value(parser));
      }
      return entries;
    }
    return token == JsonToken.VALUE_NULL ? "" : parser.getText();
  }

  /// What is at the end of a path; an empty text where nothing is.
  static Object at(Object tree, String... path) {
    Object found = tree;
    for (String name : path) {
      found = found instanceof Map<?, ?> map && map.containsKey(name) ? map.get(name) : "";
    }
    return found;
  }

  static String text(Object tree, String... path) {
    return at(tree, path) instanceof String text ? text : "";
  }

  static List<?> list(Object tree, String... path) {
    return at(tree, path) instanceof List<?> list ? list : List.of();
  }

  /// The texts below, by their path with dots between.
  static Map<String, String> fields(Object tree) {
    var found = new TreeMap<String, String>();
    collect("", tree, found);
    return found;
  }

  private static void collect(String path, Object tree, Map<String, String> found) {
    if (tree instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> collect(path.isEmpty() ? "" + name : path + "." + name, value, found));
    } else if (!tree.equals("")) {
      found.put(path, tree.toString());
    }
  }
}
