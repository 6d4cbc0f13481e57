package io.keyward.kms.plugin.service;

import com.google.protobuf.ByteString;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.EncryptResponse;
import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.util.HashMap;
import java.util.Map;

/// Protocol messages to values and back. The value types keep the limits of the protocol.
final class Messages {
  /// A DEK or a DEK seed has 32 bytes. More than this could not be wrapped in less than 1 KiB.
  static final int MAX_PLAINTEXT = 512;

  private Messages() {}

  static Secret dek(ByteString plaintext) {
    if (plaintext.isEmpty() || plaintext.size() > MAX_PLAINTEXT) {
      throw new IllegalArgumentException(
          "plaintext must have 1 to " + MAX_PLAINTEXT + " bytes: " + plaintext.size());
    }
    return new Secret(plaintext.toByteArray());
  }

  static Wrapped wrapped(DecryptRequest request) {
    return wrapped(request.getKeyId(), request.getCiphertext(), request.getAnnotationsMap());
  }

  static Wrapped wrapped(EncryptResponse stored) {
    return wrapped(stored.getKeyId(), stored.getCiphertext(), stored.getAnnotationsMap());
  }

  private static Wrapped wrapped(
      String keyId, ByteString ciphertext, Map<String, ByteString> annotations) {
    var values = new HashMap<String, Bytes>();
    annotations.forEach((name, value) -> values.put(name, Bytes.copyOf(value.toByteArray())));
    return new Wrapped(
        new KekId(keyId), Bytes.copyOf(ciphertext.toByteArray()), new Annotations(values));
  }

  static EncryptResponse encrypted(Wrapped wrapped) {
    var answer =
        EncryptResponse.newBuilder()
            .setKeyId(wrapped.kek().value())
            .setCiphertext(ByteString.copyFrom(wrapped.ciphertext().toArray()));
    wrapped
        .annotations()
        .entries()
        .forEach(
            (name, value) -> answer.putAnnotations(name, ByteString.copyFrom(value.toArray())));
    return answer.build();
  }
}
