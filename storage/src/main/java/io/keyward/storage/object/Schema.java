package io.keyward.storage.object;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What the messages of Kubernetes' stored objects look like, on the wire and as JSON. Read from
/// `kubernetes.schema`, which `storage/schema` makes from the official Go types.
final class Schema {
  /// How often a field's type occurs in it.
  enum Shape {
    ONE,
    MANY,
    MAP
  }

  /// A field's type: one of these, or a message by its name.
  enum Kind {
    STRING,
    BOOL,
    INT,
    BYTES,
    /// A message with nothing but a list of texts; the list itself as JSON.
    STRINGS,
    TIME,
    MICROTIME,
    QUANTITY,
    INT_OR_STRING,
    /// A message with JSON in its bytes.
    RAW,
    MESSAGE
  }

  /// One field. `flags` are Go's: they decide what JSON leaves out.
  record Field(int number, String name, Shape shape, Kind kind, String message, String flags) {
    boolean isPointer() {
      return flags.indexOf('p') >= 0;
    }

    boolean omitsEmpty() {
      return flags.indexOf('e') >= 0;
    }

    boolean omitsZero() {
      return flags.indexOf('z') >= 0;
    }

    /// The message's fields stand among those of its parent.
    boolean isInline() {
      return flags.indexOf('i') >= 0;
    }
  }

  private static final class Holder {
    static final Schema KUBERNETES = read("kubernetes.schema");
  }

  private final Map<String, String> kinds = new HashMap<>();
  private final Map<String, List<Field>> messages = new HashMap<>();

  private Schema() {}

  static Schema kubernetes() {
    return Holder.KUBERNETES;
  }

  /// The message of a kind, where it is known.
  Optional<String> message(String apiVersion, String kind) {
    return Optional.ofNullable(kinds.get(apiVersion + " " + kind));
  }

  List<Field> fields(String message) {
    return messages.getOrDefault(message, List.of());
  }

  int kinds() {
    return kinds.size();
  }

  private static Schema read(String resource) {
    var schema = new Schema();
    try (var in = Schema.class.getResourceAsStream(resource);
        var lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
      List<Field> fields = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "#" -> {}
          case "kind" -> schema.kinds.put(words[1] + " " + words[2], words[3]);
          case "message" -> {
            fields = new ArrayList<>();
            schema.messages.put(words[1], fields);
          }
          default -> fields.add(field(words));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the schema is part of the program", e);
    }
    return schema;
  }

  private static Field field(String[] words) {
    Shape shape = Shape.valueOf(words[2].toUpperCase(Locale.ROOT));
    boolean message = words[3].indexOf('.') >= 0;
    Kind kind =
        message ? Kind.MESSAGE : Kind.valueOf(words[3].toUpperCase(Locale.ROOT).replace('-', '_'));
    return new Field(Integer.parseInt(words[0]), words[1], shape, kind, words[3], words[4]);
  }
}
