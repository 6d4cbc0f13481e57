package io.keyward.storage.object;

import io.keyward.etcd.bytes.Bytes;
import io.keyward.etcd.bytes.WireReader;
import io.keyward.storage.envelope.Payload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What a decrypted value holds. Total: what is not understood is [Raw].
public sealed interface KubeObject {
  /// Stored as JSON, as custom resources are.
  record Json(Bytes text) implements KubeObject {}

  /// Decoded from Kubernetes protobuf, in the form that `kubectl apply` takes.
  record Decoded(Map<String, Object> fields) implements KubeObject {
    public Decoded {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
  }

  /// Bytes of a type that is not decoded here. Both are empty where not even that is known.
  record Raw(String apiVersion, String kind, Bytes bytes) implements KubeObject {}

  static KubeObject of(Bytes plaintext) {
    return switch (Payload.of(plaintext)) {
      case JSON -> new Json(plaintext);
      case PROTOBUF -> ofProtobuf(plaintext);
      case EMPTY, CBOR, OTHER -> new Raw("", "", plaintext);
    };
  }

  private static KubeObject ofProtobuf(Bytes plaintext) {
    Bytes type = Bytes.EMPTY;
    Bytes message = Bytes.EMPTY;
    var fields = new WireReader(plaintext.drop(4));
    while (fields.next()) {
      if (fields.is(1, WireReader.BYTES)) {
        type = fields.content();
      } else if (fields.is(2, WireReader.BYTES)) {
        message = fields.content();
      }
    }
    Message typeMeta = Message.of(type);
    String apiVersion = typeMeta.text(1);
    String kind = typeMeta.text(2);
    Optional<KubeObject> decoded =
        fields.isDamaged() ? Optional.empty() : CoreTypes.decode(apiVersion, kind, message);
    return decoded.orElseGet(() -> new Raw(apiVersion, kind, plaintext));
  }
}
