package io.keyward.storage.object;

import io.keyward.etcd.bytes.Bytes;
import io.keyward.etcd.bytes.WireReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The fields of a protobuf message by number. Numbers are kept as they are, the rest as bytes.
final class Message {
  private final Map<Integer, List<Bytes>> contents = new HashMap<>();
  private final Map<Integer, Long> numbers = new HashMap<>();
  private final boolean sound;

  private Message(Bytes bytes, int highest) {
    var fields = new WireReader(bytes);
    while (fields.next()) {
      for (int field = 1; field <= highest; field++) {
        if (fields.is(field, WireReader.BYTES)) {
          contents.computeIfAbsent(field, _ -> new ArrayList<>()).add(fields.content());
        } else if (fields.is(field, WireReader.VARINT)) {
          numbers.put(field, fields.number());
        }
      }
    }
    sound = !fields.isDamaged();
  }

  /// No message read here uses a field beyond 12.
  static Message of(Bytes bytes) {
    return new Message(bytes, 12);
  }

  boolean isSound() {
    return sound;
  }

  Bytes bytes(int field) {
    return contents.getOrDefault(field, List.of(Bytes.EMPTY)).getLast();
  }

  String text(int field) {
    return bytes(field).utf8().orElse("");
  }

  boolean flag(int field) {
    return numbers.getOrDefault(field, 0L) != 0;
  }

  /// A map of the wire: repeated entries of key and value.
  <T> Map<String, T> map(int field, Function<Bytes, T> value) {
    var map = new LinkedHashMap<String, T>();
    for (Bytes entry : contents.getOrDefault(field, List.of())) {
      Message pair = of(entry);
      map.put(pair.text(1), value.apply(pair.bytes(2)));
    }
    return map;
  }
}
