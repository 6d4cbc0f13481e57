package io.keyward.kms.pkcs11;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyward.kms.remote.Envelope;
import io.keyward.kms.remote.RemoteKek;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/// Wraps with AES key wrap (RFC 3394) inside the HSM. That knows no additional data, so what it
/// wraps is the one-time key of an [Envelope], which binds the rest.
///
/// @param version names the key by what it does, so that copies in a group of HSMs have one name
record KeyWrapKey(String version, long order, TokenLink link, long handle) implements HsmKey {
  private static final RemoteKek KEK = new RemoteKek(Pkcs11Provider.NAME, "aes-key-wrap");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final byte[] FINGERPRINT = "keyward kek id 1".getBytes(US_ASCII);

  static KeyWrapKey of(TokenLink link, long handle, long order) {
    try {
      byte[] wrapped = wrapKey(link, handle, FINGERPRINT);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(wrapped);
      return new KeyWrapKey(HexFormat.of().formatHex(digest, 0, 16), order, link, handle);
    } catch (CryptokiException e) {
      throw e.explained(
          "the token has no AES key wrap; configure the mechanism AES-GCM",
          "the key does not allow AES key wrap; it needs CKA_WRAP");
    } catch (NoSuchAlgorithmException e) {
      throw new KmsException(Kind.INTERNAL, "every JDK has SHA-256", e);
    }
  }

  @Override
  public KekId id() {
    return KEK.id(version);
  }

  @Override
  public Wrapped wrap(Secret dek) {
    Secret oneTimeKey = Envelope.newOneTimeKey(RANDOM);
    byte[] wrappedKey = wrapKey(link, handle, oneTimeKey.reveal());
    return Envelope.seal(KEK, version, wrappedKey, oneTimeKey, dek);
  }

  @Override
  public Secret unwrap(Wrapped wrapped) {
    Envelope envelope = Envelope.read(wrapped);
    envelope.check(KEK, wrapped);
    try {
      return envelope.open(wrapped, unwrapKey(envelope.wrappedKey()));
    } catch (CryptokiException e) {
      if (e.saysTheDataIsDamaged()) {
        throw new KmsException(Kind.CORRUPT, "the ciphertext fails its integrity check", e);
      }
      throw e;
    }
  }

  private static byte[] wrapKey(TokenLink link, long handle, byte[] key) {
    return link.inSession((module, session) -> {
      long temporary = module.createKey(session, key);
      try {
        return module.wrapKey(session, handle, temporary);
      } finally {
        module.destroy(session, temporary);
      }
    });
  }

  private Secret unwrapKey(byte[] wrappedKey) {
    return link.inSession((module, session) -> {
      long temporary = module.unwrapKey(session, handle, wrappedKey);
      try {
        return new Secret(module.attribute(session, temporary, Cryptoki.CKA_VALUE));
      } finally {
        module.destroy(session, temporary);
      }
    });
  }
}
