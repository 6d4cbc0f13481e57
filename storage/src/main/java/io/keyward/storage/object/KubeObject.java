package io.keyward.storage.object;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.WireReader;
import io.keyward.storage.envelope.Payload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a decrypted value holds. Total: what is not understood is [Raw].
public sealed interface KubeObject {
  /// Stored as JSON, as custom resources are.
  record Json(ByteView text) implements KubeObject {}

  /// Decoded from Kubernetes protobuf, with the fields that the API server's JSON has. `unknown`
  /// names those that were left out: a newer Kubernetes wrote them.
  record Decoded(Map<String, @Nullable Object> fields, List<String> unknown) implements KubeObject {
    public Decoded {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
      unknown = List.copyOf(unknown);
    }
  }

  /// Bytes of a type that is not decoded here. Both are empty where not even that is known.
  record Raw(String apiVersion, String kind, ByteView bytes) implements KubeObject {}

  static KubeObject of(ByteView plaintext) {
    return switch (Payload.of(plaintext)) {
      case JSON -> new Json(plaintext);
      case PROTOBUF -> ofProtobuf(plaintext);
      case EMPTY, CBOR, OTHER -> new Raw("", "", plaintext);
    };
  }

  /// After four bytes comes a message: what the object is (1), and the object (2).
  private static KubeObject ofProtobuf(ByteView plaintext) {
    ByteView type = ByteView.EMPTY;
    ByteView message = ByteView.EMPTY;
    var fields = new WireReader(plaintext.drop(4));
    while (fields.next()) {
      if (fields.is(1, WireReader.BYTES)) {
        type = fields.content();
      } else if (fields.is(2, WireReader.BYTES)) {
        message = fields.content();
      }
    }
    String apiVersion = text(type, 1);
    String kind = text(type, 2);
    Optional<KubeObject> decoded =
        fields.isDamaged() ? Optional.empty() : decode(apiVersion, kind, message);
    return decoded.orElseGet(() -> new Raw(apiVersion, kind, plaintext));
  }

  private static Optional<KubeObject> decode(String apiVersion, String kind, ByteView message) {
    Schema schema = Schema.kubernetes();
    Optional<String> type = schema.message(apiVersion, kind);
    if (type.isEmpty()) {
      return Optional.empty();
    }
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("kind", kind);
    fields.put("apiVersion", apiVersion);
    var decoder = new MessageDecoder(schema);
    fields.putAll(decoder.decode(type.get(), message));
    return decoder.isDamaged()
        ? Optional.empty()
        : Optional.of(new Decoded(fields, decoder.unknown()));
  }

  private static String text(ByteView message, int field) {
    String text = "";
    var fields = new WireReader(message);
    while (fields.next()) {
      if (fields.is(field, WireReader.BYTES)) {
        text = fields.content().utf8().orElse("");
      }
    }
    return text;
  }
}
