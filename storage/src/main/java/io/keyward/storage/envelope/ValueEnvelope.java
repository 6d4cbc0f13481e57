package io.keyward.storage.envelope;

import io.keyward.etcd.bytes.ByteView;
import java.util.Optional;

/// What a stored value is, told from its bytes alone. Every byte string gives exactly one variant.
///
/// A `name` is the text up to the first colon. Key names may hold colons themselves, so without the
/// configuration it may be only the first part of the true name.
public sealed interface ValueEnvelope {
  /// Not marked as encrypted: anybody who reads etcd reads it.
  record Plain(Payload payload) implements ValueEnvelope {
    @Override
    public ProviderKind provider() {
      return ProviderKind.IDENTITY;
    }
  }

  /// Sealed with a key out of the configuration file.
  record LocalSealed(ProviderKind provider, ByteView name, ByteView body)
      implements ValueEnvelope {}

  /// Sealed with a DEK of its own that a KMS v1 plugin wrapped. Does not tell which KEK did it.
  record KmsV1(ByteView name, ByteView wrappedDek, ByteView body) implements ValueEnvelope {
    @Override
    public ProviderKind provider() {
      return ProviderKind.KMS_V1;
    }
  }

  record KmsV2(ByteView name, EncryptedObject object) implements ValueEnvelope {
    @Override
    public ProviderKind provider() {
      return ProviderKind.KMS_V2;
    }
  }

  /// Marked as encrypted, and no kube-apiserver can read it. Holds what could be read all the same.
  record Malformed(
      ProviderKind provider,
      Problem problem,
      Optional<ByteView> name,
      Optional<EncryptedObject> object)
      implements ValueEnvelope {}

  enum Problem {
    UNKNOWN_PROVIDER("marked as encrypted by a provider that does not exist"),
    NO_NAME("ends before the name of its key"),
    CUT_SHORT("shorter than its length field"),
    NOT_PROTOBUF("not a KMS v2 message"),
    INVALID_OBJECT("a KMS v2 message that breaks the protocol's limits");

    private final String words;

    Problem(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  ProviderKind provider();

  default boolean isEncrypted() {
    return provider() != ProviderKind.IDENTITY;
  }

  static ValueEnvelope parse(ByteView value) {
    return EnvelopeParser.parse(value);
  }

  /// For a reader that knows the name: what follows it and its colon. [KmsV2] or [Malformed].
  static ValueEnvelope parseKmsV2(ByteView name, ByteView body) {
    return EnvelopeParser.kmsV2(name, body);
  }
}
