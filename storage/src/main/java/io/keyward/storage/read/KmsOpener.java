package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.config.Provider.Kms;
import io.keyward.storage.config.Provider.Version;
import io.keyward.storage.envelope.EncryptedObject;
import io.keyward.storage.envelope.KmsV1Body;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.envelope.ValueEnvelope.KmsV2;
import io.keyward.storage.envelope.ValueEnvelope.Malformed;
import io.keyward.storage.envelope.ValueEnvelope.Problem;
import java.util.Optional;

/// Opens what a KMS provider sealed. The body is what follows the provider's name.
final class KmsOpener {
  private static final int MIN_SEED = 32;

  private final Unwrapper kms;

  KmsOpener(Unwrapper kms) {
    this.kms = kms;
  }

  Opening open(Kms provider, ByteView body, ByteView etcdKey) {
    return switch (provider.version()) {
      case V1 -> openV1(provider, body, etcdKey);
      case V2 -> openV2(provider, body, etcdKey);
    };
  }

  private Opening openV1(Kms provider, ByteView body, ByteView etcdKey) {
    Optional<KmsV1Body> parts = KmsV1Body.split(body);
    if (parts.isEmpty()) {
      return new Opening.Failed(ErrorClass.MALFORMED_ENVELOPE);
    }
    return switch (kms.unwrap(WrappedDek.v1(provider.name(), parts.get().wrappedDek()))) {
      case Unwrapper.Unwrapped.Failed(var reason) ->
          new Opening.Failed(ErrorClass.KMS_DECRYPT_FAILED, reason);
      case Unwrapper.Unwrapped.Dek(var dek) when !Aes.isKeySize(dek.size()) ->
          new Opening.Failed(ErrorClass.BAD_DEK_SIZE);
      case Unwrapper.Unwrapped.Dek(var dek) ->
          gcmElseCbc(dek.toArray(), parts.get().sealed(), etcdKey);
    };
  }

  /// Up to 1.24 the body was AES-CBC. The second try has no integrity, so damage may pass it.
  private static Opening gcmElseCbc(byte[] dek, ByteView sealed, ByteView etcdKey) {
    Opening gcm = Aes.openGcm(dek, sealed, etcdKey);
    if (gcm instanceof Opening.Failed
        && Aes.openCbc(dek, sealed) instanceof Opening.Plain(var plaintext, _)) {
      return new Opening.Plain(plaintext, true);
    }
    return gcm;
  }

  private Opening openV2(Kms provider, ByteView body, ByteView etcdKey) {
    return switch (ValueEnvelope.parseKmsV2(ByteView.utf8(provider.name()), body)) {
      case KmsV2(_, var object) -> openObject(provider, object, etcdKey);
      case Malformed(_, var problem, _, _) when problem == Problem.INVALID_OBJECT ->
          new Opening.Failed(ErrorClass.INVALID_ENCRYPTED_OBJECT);
      case Malformed _, ValueEnvelope.Plain _, ValueEnvelope.LocalSealed _, ValueEnvelope.KmsV1 _ ->
          new Opening.Failed(ErrorClass.MALFORMED_PROTO);
    };
  }

  private Opening openObject(Kms provider, EncryptedObject object, ByteView etcdKey) {
    var wrapped =
        new WrappedDek(
            provider.name(), Version.V2, object.dekSource(), object.keyId(), object.annotations());
    return switch (kms.unwrap(wrapped)) {
      case Unwrapper.Unwrapped.Failed(var reason) ->
          new Opening.Failed(ErrorClass.KMS_DECRYPT_FAILED, reason);
      case Unwrapper.Unwrapped.Dek(var dek) when !fits(object, dek) ->
          new Opening.Failed(ErrorClass.BAD_DEK_SIZE);
      case Unwrapper.Unwrapped.Dek(var dek) ->
          flagStale(provider, object, openData(object, dek.toArray(), etcdKey));
    };
  }

  private static boolean fits(EncryptedObject object, ByteView dek) {
    return object.dekSourceType() == EncryptedObject.SEED
        ? dek.size() >= MIN_SEED
        : Aes.isKeySize(dek.size());
  }

  private static Opening openData(EncryptedObject object, byte[] dek, ByteView etcdKey) {
    return object.dekSourceType() == EncryptedObject.SEED
        ? Aes.openSeeded(dek, object.encryptedData(), etcdKey)
        : Aes.openGcm(dek, object.encryptedData(), etcdKey);
  }

  private Opening flagStale(Kms provider, EncryptedObject object, Opening opening) {
    return switch (opening) {
      case Opening.Failed failed -> failed;
      case Opening.Plain(var plaintext, _) ->
          new Opening.Plain(plaintext, isStale(provider.name(), object));
    };
  }

  /// Another seed under the same key id is not stale.
  boolean isStale(String provider, EncryptedObject object) {
    return object.dekSourceType() != EncryptedObject.SEED
        || kms.currentKeyId(provider).map(id -> !id.equals(object.keyId())).orElse(false);
  }
}
