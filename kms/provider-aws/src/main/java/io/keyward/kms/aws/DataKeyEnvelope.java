package io.keyward.kms.aws;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// A DEK sealed with a data key of AWS KMS, together with that data key as KMS wrapped it. Every
/// data key seals one DEK.
///
/// @param material the id of the key material that wrapped the data key
/// @param dataKey the data key as KMS wrapped it
record DataKeyEnvelope(String material, Bytes dataKey, Bytes nonce, Bytes sealed) {
  private static final byte FORMAT = 1;
  private static final int MAX_MATERIAL = 127;
  private static final int NONCE = 12;
  private static final int TAG = 16;

  static DataKeyEnvelope seal(
      Secret dek, KekId kek, String material, Bytes dataKey, byte[] plainKey, byte[] nonce) {
    var empty = new DataKeyEnvelope(material, dataKey, Bytes.copyOf(nonce), Bytes.utf8(""));
    try {
      byte[] sealed = empty.cipher(Cipher.ENCRYPT_MODE, kek, plainKey).doFinal(dek.reveal());
      return new DataKeyEnvelope(material, dataKey, Bytes.copyOf(nonce), Bytes.copyOf(sealed));
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.INTERNAL, "AES-GCM is not available", e);
    }
  }

  Secret open(KekId kek, byte[] plainKey) {
    try {
      return new Secret(cipher(Cipher.DECRYPT_MODE, kek, plainKey).doFinal(sealed.toArray()));
    } catch (AEADBadTagException e) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext fails its integrity check", e);
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.INTERNAL, "AES-GCM is not available", e);
    }
  }

  /// Binds all that is not secret: the key id, the key material, the wrapped data key.
  private Cipher cipher(int mode, KekId kek, byte[] plainKey) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    var parameters = new GCMParameterSpec(TAG * 8, nonce.toArray());
    cipher.init(mode, new SecretKeySpec(plainKey, "AES"), parameters);
    cipher.updateAAD(kek.value().getBytes(UTF_8));
    cipher.updateAAD(head());
    return cipher;
  }

  private byte[] head() {
    byte[] id = material.getBytes(US_ASCII);
    return ByteBuffer.allocate(1 + 1 + id.length + 2 + dataKey.size())
        .put(FORMAT)
        .put((byte) id.length)
        .put(id)
        .putShort((short) dataKey.size())
        .put(dataKey.toArray())
        .array();
  }

  Bytes encode() {
    byte[] head = head();
    return Bytes.copyOf(
        ByteBuffer.allocate(head.length + nonce.size() + sealed.size())
            .put(head)
            .put(nonce.toArray())
            .put(sealed.toArray())
            .array());
  }

  static DataKeyEnvelope decode(Bytes ciphertext) {
    ByteBuffer in = ByteBuffer.wrap(ciphertext.toArray());
    try {
      if (in.get() != FORMAT) {
        throw notOurs();
      }
      byte[] material = take(in, in.get());
      byte[] dataKey = take(in, in.getShort());
      byte[] nonce = take(in, NONCE);
      byte[] sealed = take(in, in.remaining());
      var ascii = new String(material, US_ASCII);
      if (sealed.length <= TAG || !Arrays.equals(material, ascii.getBytes(US_ASCII))) {
        throw notOurs();
      }
      return new DataKeyEnvelope(
          ascii, Bytes.copyOf(dataKey), Bytes.copyOf(nonce), Bytes.copyOf(sealed));
    } catch (BufferUnderflowException e) {
      throw notOurs();
    }
  }

  private static byte[] take(ByteBuffer in, int length) {
    if (length < 1 || length > in.remaining()) {
      throw notOurs();
    }
    var bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static KmsException notOurs() {
    return new KmsException(Kind.CORRUPT, "the ciphertext was not made by this provider");
  }

  DataKeyEnvelope {
    if (material.isEmpty() || material.length() > MAX_MATERIAL) {
      throw new KmsException(Kind.INTERNAL, "AWS KMS answered with a key material id of odd size");
    }
  }
}
