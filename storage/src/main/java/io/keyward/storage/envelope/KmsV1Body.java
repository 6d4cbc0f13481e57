package io.keyward.storage.envelope;

import io.keyward.etcd.bytes.ByteView;
import java.util.Optional;

/// What follows the provider's name in a KMS v1 value: a length, the wrapped DEK, the sealed rest.
public record KmsV1Body(ByteView wrappedDek, ByteView sealed) {
  private static final int LENGTH_BYTES = 2;

  public static Optional<KmsV1Body> split(ByteView body) {
    if (body.size() < LENGTH_BYTES) {
      return Optional.empty();
    }
    int length = (body.at(0) & 0xff) << 8 | (body.at(1) & 0xff);
    int end = LENGTH_BYTES + length;
    return body.size() < end
        ? Optional.empty()
        : Optional.of(new KmsV1Body(body.slice(LENGTH_BYTES, end), body.drop(end)));
  }
}
