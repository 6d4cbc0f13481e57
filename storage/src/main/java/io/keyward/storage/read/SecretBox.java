package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import java.security.MessageDigest;
import org.bouncycastle.crypto.engines.XSalsa20Engine;
import org.bouncycastle.crypto.macs.Poly1305;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/// NaCl's secretbox: nonce, tag, ciphertext. Binds nothing: a value moved to another key opens.
final class SecretBox {
  private static final int NONCE = 24;
  private static final int TAG = 16;
  private static final int MAC_KEY = 32;

  private SecretBox() {}

  static Opening open(byte[] key, ByteView body) {
    if (body.size() < NONCE + TAG) {
      return new Opening.Failed(ErrorClass.TOO_SHORT);
    }
    var stream = new XSalsa20Engine();
    stream.init(false, new ParametersWithIV(new KeyParameter(key), body.slice(0, NONCE).toArray()));
    var macKey = new byte[MAC_KEY];
    stream.processBytes(new byte[MAC_KEY], 0, MAC_KEY, macKey, 0);
    byte[] sealed = body.drop(NONCE + TAG).toArray();
    byte[] expected = body.slice(NONCE, NONCE + TAG).toArray();
    if (!MessageDigest.isEqual(expected, tag(macKey, sealed))) {
      return new Opening.Failed(ErrorClass.AUTH_FAILED);
    }
    var plain = new byte[sealed.length];
    stream.processBytes(sealed, 0, sealed.length, plain, 0);
    return new Opening.Plain(plain);
  }

  private static byte[] tag(byte[] macKey, byte[] sealed) {
    var poly = new Poly1305();
    poly.init(new KeyParameter(macKey));
    poly.update(sealed, 0, sealed.length);
    var tag = new byte[TAG];
    poly.doFinal(tag, 0);
    return tag;
  }
}
