package io.keyward.storage.audit;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.envelope.ByteFingerprint;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.resource.EtcdKey;

/// A value in etcd with everything a rule may ask about it. Rules see values, reports never do.
public record StoredObject(
    ByteView key, EtcdKey place, ByteView value, ValueEnvelope envelope, long revision) {
  public static StoredObject of(ByteView key, EtcdKey place, ByteView value, long revision) {
    return new StoredObject(key, place, value, ValueEnvelope.parse(value), revision);
  }

  /// Whether a key or provider of this name sealed it. Names may hold colons, so this compares
  /// bytes; a longer name that begins with this one and a colon counts as well, to be safe.
  public boolean isSealedUnder(String name) {
    return envelope.isEncrypted()
        && value.size() > envelope.provider().header().size()
        && value.drop(envelope.provider().header().size()).startsWith(ByteView.utf8(name + ":"));
  }

  /// By the id itself, or by its hash as API server metrics show it.
  public boolean isUnderKek(String id) {
    return envelope instanceof ValueEnvelope.KmsV2(_, var object)
        && (object.keyId().equals(id)
            || (id.startsWith("sha256:") && ByteFingerprint.ofKeyId(object.keyId()).equals(id)));
  }
}
