package io.keyward.kms.ibm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JSON as maps, lists and texts. Numbers and truth values become texts: nothing here calculates.
final class IbmJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int MAX_DEPTH = 16;

  private IbmJson() {}

  static Map<?, ?> object(byte[] json) throws IOException {
    try (JsonParser parser = FACTORY.createParser(json)) {
      parser.nextToken();
      if (value(parser, 0) instanceof Map<?, ?> map && parser.nextToken() == null) {
        return map;
      }
      throw new IOException("not one object");
    }
  }

  private static Object value(JsonParser parser, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw new IOException("too deep");
    }
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      var map = new LinkedHashMap<String, Object>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        map.put(name, value(parser, depth + 1));
      }
      return map;
    }
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      var list = new ArrayList<Object>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        list.add(value(parser, depth + 1));
      }
      return list;
    }
    String text = parser.getText();
    return text == null ? "" : text;
  }

  /// Follows names and, where there is a list, its first element. Empty text if there is nothing.
  static String text(@Nullable Object from, String... path) {
    Object at = from;
    for (String name : path) {
      if (at instanceof List<?> list) {
        at = list.isEmpty() ? "" : list.getFirst();
      }
      at = at instanceof Map<?, ?> map ? map.get(name) : "";
    }
    return at instanceof String text ? text : "";
  }

  static String keyAction(String field, String value, List<String> aad) {
    var out = new StringWriter();
    try (var generator = FACTORY.createGenerator(out)) {
      generator.writeStartObject();
      generator.writeStringField(field, value);
      generator.writeArrayFieldStart("aad");
      for (String each : aad) {
        generator.writeString(each);
      }
      generator.writeEndArray();
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string takes everything", e);
    }
    return out.toString();
  }
}
