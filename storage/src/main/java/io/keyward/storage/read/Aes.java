package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// AES as kube-apiserver uses it.
final class Aes {
  static final int NONCE = 12;
  static final int SEED_INFO = 32;

  private static final int BLOCK = 16;
  private static final int TAG = 16;

  private Aes() {}

  static boolean isKeySize(int size) {
    return size == 16 || size == 24 || size == 32;
  }

  /// IV, then blocks. There is no integrity: damage may pass.
  static Opening openCbc(byte[] key, ByteView body) {
    if (body.size() < BLOCK) {
      return new Opening.Failed(ErrorClass.TOO_SHORT);
    }
    if (body.size() % BLOCK != 0) {
      return new Opening.Failed(ErrorClass.BAD_BLOCK_SIZE);
    }
    // An IV and no blocks: kube-apiserver panics here.
    return body.size() == BLOCK
        ? new Opening.Failed(ErrorClass.TOO_SHORT)
        : unpad(decryptCbc(key, body));
  }

  private static byte[] decryptCbc(byte[] key, ByteView body) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(key, "AES"),
          new IvParameterSpec(body.slice(0, BLOCK).toArray()));
      return cipher.doFinal(body.drop(BLOCK).toArray());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-CBC is unavailable", e);
    }
  }

  /// By hand, since kube-apiserver accepts pads longer than a block and the JDK does not.
  private static Opening unpad(byte[] padded) {
    int pad = padded[padded.length - 1] & 0xff;
    boolean good = pad > 0 && pad <= padded.length;
    for (int i = padded.length - pad; good && i < padded.length; i++) {
      good = (padded[i] & 0xff) == pad;
    }
    return good
        ? new Opening.Plain(ByteView.wrap(padded).slice(0, padded.length - pad), false)
        : new Opening.Failed(ErrorClass.BAD_PADDING);
  }

  /// Nonce, ciphertext, tag; bound to the etcd key.
  static Opening openGcm(byte[] key, ByteView body, ByteView etcdKey) {
    if (body.size() < NONCE) {
      return new Opening.Failed(ErrorClass.TOO_SHORT);
    }
    if (body.size() < NONCE + TAG) {
      return new Opening.Failed(ErrorClass.AUTH_FAILED);
    }
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(key, "AES"),
          new GCMParameterSpec(TAG * 8, body.slice(0, NONCE).toArray()));
      cipher.updateAAD(etcdKey.toBuffer());
      return new Opening.Plain(cipher.doFinal(body.drop(NONCE).toArray()));
    } catch (AEADBadTagException e) {
      return new Opening.Failed(ErrorClass.AUTH_FAILED);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is unavailable", e);
    }
  }

  /// KMS v2 with a seed: the value's own DEK is one block of HKDF-Expand over its first bytes.
  static Opening openSeeded(byte[] seed, ByteView data, ByteView etcdKey) {
    if (data.size() < SEED_INFO) {
      return new Opening.Failed(ErrorClass.TOO_SHORT);
    }
    try {
      Mac hmac = Mac.getInstance("HmacSHA256");
      hmac.init(new SecretKeySpec(seed, "HmacSHA256"));
      hmac.update(data.slice(0, SEED_INFO).toBuffer());
      hmac.update((byte) 1);
      return openGcm(hmac.doFinal(), data.drop(SEED_INFO), etcdKey);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HMAC is unavailable", e);
    }
  }
}
