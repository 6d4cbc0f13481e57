package io.keyward.kms.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/// Wraps with AES-256-GCM under keys of a key store file. Not a KMS: the keys lie on this machine.
///
/// The ciphertext is a format byte, a random nonce and the sealed DEK; the id of the key version,
/// which stands for provider, key and version, is bound to it as additional data.
final class LocalProvider implements KmsProvider {
  private static final byte FORMAT = 1;
  private static final int NONCE = 12;
  private static final int TAG = 16;

  private final KeySource keys;
  private final SecureRandom random = new SecureRandom();

  LocalProvider(KeySource keys) {
    this.keys = keys;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    KeyVersion version = keys.forWrapping().newest();
    var nonce = new byte[NONCE];
    random.nextBytes(nonce);
    byte[] plain = dek.reveal();
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, version, nonce);
      var out = ByteBuffer.allocate(1 + NONCE + plain.length + TAG).put(FORMAT).put(nonce);
      cipher.doFinal(ByteBuffer.wrap(plain), out);
      return new Wrapped(version.id(), Bytes.copyOf(out.array()), version.annotations());
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.INTERNAL, "AES-GCM is not available", e);
    }
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    KeyVersion version =
        keys.forUnwrapping()
            .version(wrapped.kek())
            .orElseThrow(() ->
                new KmsException(
                    Kind.UNKNOWN_KEK,
                    "the key store has no key version with this key_id",
                    Map.of("key_id", wrapped.kek().value())));
    if (!wrapped.annotations().equals(version.annotations())) {
      throw new KmsException(Kind.CORRUPT, "the annotations do not belong to this key_id");
    }
    byte[] sealed = wrapped.ciphertext().toArray();
    if (sealed.length <= 1 + NONCE + TAG || sealed[0] != FORMAT) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext was not made by this provider");
    }
    try {
      var nonce = java.util.Arrays.copyOfRange(sealed, 1, 1 + NONCE);
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, version, nonce);
      return new Secret(cipher.doFinal(sealed, 1 + NONCE, sealed.length - 1 - NONCE));
    } catch (AEADBadTagException e) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext fails its integrity check", e);
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.INTERNAL, "AES-GCM is not available", e);
    }
  }

  private static Cipher cipher(int mode, KeyVersion version, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, version.key(), new GCMParameterSpec(TAG * 8, nonce));
    cipher.updateAAD(version.id().value().getBytes(UTF_8));
    return cipher;
  }

  /// Reads the key store again if it changed: a probe that used the keys in memory alone would not
  /// notice a damaged file before the next look at it.
  @Override
  public void recheck() {
    keys.refresh();
  }

  @Override
  public boolean blocks() {
    return false;
  }

  @Override
  public void close() {
    keys.close();
  }
}
