package io.keyward.kms.pkcs11;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/// Wraps with AES-GCM inside the HSM. The key id is bound as additional data.
record GcmKey(KekId id, long order, TokenLink link, long handle) implements HsmKey {
  private static final byte FORMAT = 1;
  private static final int NONCE = 12;
  private static final SecureRandom RANDOM = new SecureRandom();

  /// Not the zero block: its encryption is the secret that AES-GCM authenticates with.
  private static final byte[] FINGERPRINT = "keyward kek id 1".getBytes(US_ASCII);

  /// The id comes from the key itself, not from the token: HSMs in a group hold copies of one key,
  /// and every node must call it by one name.
  static GcmKey of(TokenLink link, long handle, long order) {
    try {
      byte[] fingerprint =
          link.inSession(
              (module, session) -> module.cipher().encryptEcb(session, handle, FINGERPRINT));
      KekId id = KekId.of(Pkcs11Provider.NAME, "aes", HexFormat.of().formatHex(fingerprint));
      return new GcmKey(id, order, link, handle);
    } catch (CryptokiException e) {
      throw explained(e);
    }
  }

  @Override
  public Wrapped wrap(Secret dek) {
    var nonce = new byte[NONCE];
    RANDOM.nextBytes(nonce);
    byte[] sealed =
        link.inSession((module, session) ->
            module.cipher().encryptGcm(session, handle, nonce, associated(), dek.reveal()));
    byte[] all =
        ByteBuffer.allocate(1 + NONCE + sealed.length).put(FORMAT).put(nonce).put(sealed).array();
    return new Wrapped(id, Bytes.copyOf(all), Annotations.NONE);
  }

  @Override
  public Secret unwrap(Wrapped wrapped) {
    byte[] all = wrapped.ciphertext().toArray();
    if (!wrapped.annotations().entries().isEmpty()) {
      throw new KmsException(Kind.CORRUPT, "the annotations do not belong to this key_id");
    }
    if (all.length <= 1 + NONCE + TokenCipher.TAG || all[0] != FORMAT) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext was not made by this provider");
    }
    byte[] nonce = Arrays.copyOfRange(all, 1, 1 + NONCE);
    byte[] sealed = Arrays.copyOfRange(all, 1 + NONCE, all.length);
    try {
      return new Secret(
          link.inSession((module, session) ->
              module.cipher().decryptGcm(session, handle, nonce, associated(), sealed)));
    } catch (CryptokiException e) {
      if (e.saysTheDataIsDamaged()) {
        throw new KmsException(Kind.CORRUPT, "the ciphertext fails its integrity check", e);
      }
      throw explained(e);
    }
  }

  private byte[] associated() {
    return id.value().getBytes(UTF_8);
  }

  static RuntimeException explained(CryptokiException e) {
    return e.explained(
        "the token has no AES-GCM, or none that accepts a nonce from Keyward; configure the mechanism"
            + " AES-KEY-WRAP",
        "the key does not allow AES-GCM; it needs CKA_ENCRYPT and CKA_DECRYPT");
  }
}
