package io.keyward.storage.object;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.WireReader;
import io.keyward.storage.object.Schema.Field;
import io.keyward.storage.object.Schema.Kind;
import io.keyward.storage.object.Schema.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A protobuf message to the fields that the API server's JSON of it has, in the same order.
///
/// Total: damage shows in [#isDamaged]. What the schema does not know is named in [#unknown].
final class MessageDecoder {
  /// A stored object has a few thousand. More would be damage that wants memory.
  private static final int MAX_FIELDS = 1_000_000;

  private static final int MAX_DEPTH = 40;
  private static final int MAX_UNKNOWN = 20;

  private final Schema schema;
  private final TreeSet<String> unknown = new TreeSet<>();
  private int fields;
  private boolean damaged;

  MessageDecoder(Schema schema) {
    this.schema = schema;
  }

  boolean isDamaged() {
    return damaged;
  }

  /// Fields left out because no such number is in the schema, as `spec.#42`.
  List<String> unknown() {
    return List.copyOf(unknown);
  }

  Map<String, @Nullable Object> decode(String message, ByteView bytes) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    decode(message, bytes, "", 0, json);
    return json;
  }

  private void decode(
      String message, ByteView bytes, String path, int depth, Map<String, @Nullable Object> json) {
    List<Field> known = schema.fields(message);
    fields += known.size() + 1;
    if (depth > MAX_DEPTH || fields > MAX_FIELDS) {
      damaged = true;
    }
    if (damaged) {
      return;
    }
    Map<Integer, List<Object>> contents = contents(known, bytes, path);
    for (Field field : known) {
      List<Object> found = contents.getOrDefault(field.number(), List.of());
      if (field.isInline()) {
        decode(field.message(), last(found), path, depth + 1, json);
      } else {
        put(field, value(field, found, path + field.name(), depth), json);
      }
    }
  }

  /// By number: a [Long] or [ByteView] for each time the field occurs.
  private Map<Integer, List<Object>> contents(List<Field> known, ByteView bytes, String path) {
    var wireTypes = new HashMap<Integer, Integer>();
    known.forEach(field -> wireTypes.put(field.number(), wireType(field)));
    var contents = new HashMap<Integer, List<Object>>();
    var reader = new WireReader(bytes);
    while (reader.next()) {
      Integer wanted = wireTypes.get(reader.field());
      if (wanted != null && reader.is(reader.field(), wanted)) {
        Object content = wanted == WireReader.VARINT ? reader.number() : reader.content();
        contents.computeIfAbsent(reader.field(), _ -> new ArrayList<>()).add(content);
      } else if (unknown.size() < MAX_UNKNOWN) {
        unknown.add(path + "#" + reader.field());
      }
    }
    damaged |= reader.isDamaged();
    return contents;
  }

  private static int wireType(Field field) {
    boolean number = field.kind() == Kind.INT || field.kind() == Kind.BOOL;
    return number && field.shape() != Shape.MAP ? WireReader.VARINT : WireReader.BYTES;
  }

  private static ByteView last(List<Object> found) {
    return !found.isEmpty() && found.getLast() instanceof ByteView bytes ? bytes : ByteView.EMPTY;
  }

  private @Nullable Object value(Field field, List<Object> found, String path, int depth) {
    return switch (field.shape()) {
      case ONE -> single(field, found, path, depth);
      case MANY -> {
        var list = new ArrayList<@Nullable Object>();
        found.forEach(item -> list.add(convert(field, item, path + "[].", depth)));
        yield list.isEmpty() ? null : list;
      }
      case MAP -> {
        var map = new TreeMap<String, @Nullable Object>();
        found.forEach(entry -> putEntry(field, entry, path, depth, map));
        yield map.isEmpty() ? null : map;
      }
    };
  }

  private @Nullable Object single(Field field, List<Object> found, String path, int depth) {
    if (found.isEmpty() && (field.isPointer() || isNil(field.kind()))) {
      return null;
    }
    Object content =
        !found.isEmpty()
            ? found.getLast()
            : wireType(field) == WireReader.VARINT ? (Object) 0L : ByteView.EMPTY;
    return convert(field, content, path + ".", depth);
  }

  /// Slices of Go: absent is nil, and nil is null.
  private static boolean isNil(Kind kind) {
    return kind == Kind.BYTES || kind == Kind.STRINGS;
  }

  private void putEntry(
      Field field, Object entry, String path, int depth, Map<String, @Nullable Object> map) {
    ByteView key = ByteView.EMPTY;
    ByteView value = ByteView.EMPTY;
    var reader = new WireReader(entry instanceof ByteView bytes ? bytes : ByteView.EMPTY);
    while (reader.next()) {
      if (reader.is(1, WireReader.BYTES)) {
        key = reader.content();
      } else if (reader.is(2, WireReader.BYTES)) {
        value = reader.content();
      }
    }
    damaged |= reader.isDamaged();
    map.put(text(key), convert(field, value, path + "[].", depth));
  }

  private @Nullable Object convert(Field field, Object content, String path, int depth) {
    if (++fields > MAX_FIELDS) {
      damaged = true;
      return null;
    }
    if (content instanceof Long number) {
      return field.kind() == Kind.BOOL ? (Object) (number != 0) : number;
    }
    ByteView bytes = content instanceof ByteView given ? given : ByteView.EMPTY;
    if (field.kind() != Kind.MESSAGE) {
      var special = SpecialForm.of(field.kind(), bytes);
      damaged |= special.isEmpty();
      return special.map(SpecialForm.Json::value).orElse(null);
    }
    var json = new LinkedHashMap<String, @Nullable Object>();
    decode(field.message(), bytes, path, depth + 1, json);
    return json;
  }

  private String text(ByteView bytes) {
    damaged |= bytes.utf8().isEmpty();
    return bytes.utf8().orElse("");
  }

  /// Go's rules for what is left out.
  private static void put(Field field, @Nullable Object value, Map<String, @Nullable Object> json) {
    boolean omit =
        (field.omitsZero() && value == null) || (field.omitsEmpty() && isEmpty(field, value));
    if (!omit) {
      json.put(field.name(), value);
    }
  }

  private static boolean isEmpty(Field field, @Nullable Object value) {
    if (field.isPointer() || field.shape() != Shape.ONE) {
      return value == null;
    }
    return switch (field.kind()) {
      case STRING, BYTES -> value == null || value.equals("");
      case BOOL -> Boolean.FALSE.equals(value);
      case INT -> Long.valueOf(0).equals(value);
      case STRINGS -> value == null || value.equals(List.of());
      // Structs of Go: never empty, whatever is in them.
      case TIME, MICROTIME, QUANTITY, INT_OR_STRING, RAW, MESSAGE -> false;
    };
  }
}
