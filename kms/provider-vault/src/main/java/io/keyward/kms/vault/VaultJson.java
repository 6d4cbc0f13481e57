package io.keyward.kms.vault;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The little JSON that Vault's interface needs. Numbers are kept as text.
record VaultJson(Map<String, Object> fields) {
  private static final JsonFactory FACTORY = new JsonFactory();
  static final VaultJson EMPTY = new VaultJson(Map.of());

  /// Empty where it is not one object.
  static Optional<VaultJson> parse(byte[] bytes) {
    try (JsonParser parser = FACTORY.createParser(bytes)) {
      return parser.nextToken() == JsonToken.START_OBJECT
          ? Optional.of(object(parser))
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  static byte[] write(Map<String, String> fields) {
    var out = new ByteArrayOutputStream();
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      generator.writeStartObject();
      for (var field : fields.entrySet()) {
        generator.writeStringField(field.getKey(), field.getValue());
      }
      generator.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return out.toByteArray();
  }

  private static VaultJson object(JsonParser parser) throws IOException {
    var fields = new LinkedHashMap<String, Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, value(parser));
    }
    return new VaultJson(fields);
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        var items = new ArrayList<Object>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser));
        }
        yield items;
      }
      case VALUE_NULL -> "";
      default -> parser.getText();
    };
  }

  VaultJson object(String name) {
    return fields.get(name) instanceof VaultJson found ? found : EMPTY;
  }

  /// Text, number or truth as text; empty text where there is none.
  String text(String name) {
    return fields.get(name) instanceof String found ? found : "";
  }

  boolean isTrue(String name) {
    return text(name).equals("true");
  }

  /// Empty where it is missing or not a number.
  Optional<Long> number(String name) {
    try {
      return Optional.of(Long.parseLong(text(name)));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  List<String> texts(String name) {
    return fields.get(name) instanceof List<?> items
        ? items.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }

  /// Empty where one of them is not an object.
  List<VaultJson> objects(String name) {
    return fields.get(name) instanceof List<?> items
            && items.stream().allMatch(VaultJson.class::isInstance)
        ? items.stream().map(VaultJson.class::cast).toList()
        : List.of();
  }

  /// May hold secrets.
  @Override
  public String toString() {
    return "Json" + fields.keySet();
  }
}
