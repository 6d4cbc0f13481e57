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
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/// Wraps with AES-GCM inside the HSM. The key id is bound as additional data.
record GcmKey(KekId id, long order, Provider provider, Key handle) implements HsmKey {
  private static final byte FORMAT = 1;
  private static final int NONCE = 12;
  private static final int TAG = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  /// Not the zero block: its encryption is the secret that AES-GCM authenticates with.
  private static final byte[] FINGERPRINT = "keyward kek id 1".getBytes(US_ASCII);

  /// The id comes from the key itself, not from the token: HSMs in a group hold copies of one key,
  /// and every node must call it by one name.
  static GcmKey of(Provider provider, Key handle, long order) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding", provider);
    cipher.init(Cipher.ENCRYPT_MODE, handle);
    String fingerprint = HexFormat.of().formatHex(cipher.doFinal(FINGERPRINT));
    return new GcmKey(KekId.of(Pkcs11Provider.NAME, "aes", fingerprint), order, provider, handle);
  }

  @Override
  public Wrapped wrap(Secret dek) throws GeneralSecurityException {
    var nonce = new byte[NONCE];
    RANDOM.nextBytes(nonce);
    byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(dek.reveal());
    byte[] all =
        ByteBuffer.allocate(1 + NONCE + sealed.length).put(FORMAT).put(nonce).put(sealed).array();
    return new Wrapped(id, Bytes.copyOf(all), Annotations.NONE);
  }

  @Override
  public Secret unwrap(Wrapped wrapped) throws GeneralSecurityException {
    byte[] all = wrapped.ciphertext().toArray();
    if (!wrapped.annotations().entries().isEmpty()) {
      throw new KmsException(Kind.CORRUPT, "the annotations do not belong to this key_id");
    }
    if (all.length <= 1 + NONCE + TAG || all[0] != FORMAT) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext was not made by this provider");
    }
    byte[] nonce = Arrays.copyOfRange(all, 1, 1 + NONCE);
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, nonce);
      return new Secret(cipher.doFinal(all, 1 + NONCE, all.length - 1 - NONCE));
    } catch (AEADBadTagException e) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext fails its integrity check", e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
    cipher.init(mode, handle, new GCMParameterSpec(TAG * 8, nonce));
    cipher.updateAAD(id.value().getBytes(UTF_8));
    return cipher;
  }
}
