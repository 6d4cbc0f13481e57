package io.keyward.storage.envelope;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.envelope.ValueEnvelope.KmsV1;
import io.keyward.storage.envelope.ValueEnvelope.KmsV2;
import io.keyward.storage.envelope.ValueEnvelope.LocalSealed;
import io.keyward.storage.envelope.ValueEnvelope.Malformed;
import io.keyward.storage.envelope.ValueEnvelope.Plain;
import io.keyward.storage.envelope.ValueEnvelope.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Pure and total: every byte string gives a variant, never an exception.
final class EnvelopeParser {
  private static final List<ProviderKind> SEALING =
      List.of(
          ProviderKind.AESCBC,
          ProviderKind.AESGCM,
          ProviderKind.SECRETBOX,
          ProviderKind.KMS_V1,
          ProviderKind.KMS_V2);

  private static final ByteView MARK = ProviderKind.UNKNOWN.header();

  private static final Map<ProviderKind, ByteView> HEADERS =
      SEALING.stream().collect(Collectors.toMap(kind -> kind, ProviderKind::header));

  private EnvelopeParser() {}

  static ValueEnvelope parse(ByteView value) {
    if (!value.startsWith(MARK)) {
      return new Plain(Payload.of(value));
    }
    for (ProviderKind kind : SEALING) {
      ByteView header = HEADERS.getOrDefault(kind, MARK);
      if (value.startsWith(header)) {
        return named(kind, value.drop(header.size()));
      }
    }
    return malformed(ProviderKind.UNKNOWN, Problem.UNKNOWN_PROVIDER, Optional.empty());
  }

  private static ValueEnvelope named(ProviderKind kind, ByteView rest) {
    int colon = rest.indexOf(':', 0);
    if (colon < 0) {
      return malformed(kind, Problem.NO_NAME, Optional.empty());
    }
    ByteView name = rest.slice(0, colon);
    ByteView body = rest.drop(colon + 1);
    return switch (kind) {
      case AESCBC, AESGCM, SECRETBOX -> new LocalSealed(kind, name, body);
      case KMS_V1 -> kmsV1(name, body);
      case KMS_V2 -> kmsV2(name, body);
      case IDENTITY, UNKNOWN -> malformed(kind, Problem.UNKNOWN_PROVIDER, Optional.of(name));
    };
  }

  private static ValueEnvelope kmsV1(ByteView name, ByteView body) {
    return KmsV1Body.split(body)
        .<ValueEnvelope>map(parts -> new KmsV1(name, parts.wrappedDek(), parts.sealed()))
        .orElseGet(() -> malformed(ProviderKind.KMS_V1, Problem.CUT_SHORT, Optional.of(name)));
  }

  static ValueEnvelope kmsV2(ByteView name, ByteView body) {
    Optional<EncryptedObject> object = EncryptedObject.parse(body);
    if (object.isEmpty()) {
      return malformed(ProviderKind.KMS_V2, Problem.NOT_PROTOBUF, Optional.of(name));
    }
    return object.get().isValid()
        ? new KmsV2(name, object.get())
        : new Malformed(ProviderKind.KMS_V2, Problem.INVALID_OBJECT, Optional.of(name), object);
  }

  private static Malformed malformed(ProviderKind kind, Problem problem, Optional<ByteView> name) {
    return new Malformed(kind, problem, name, Optional.empty());
  }
}
