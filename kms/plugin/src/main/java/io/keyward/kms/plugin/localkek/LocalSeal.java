package io.keyward.kms.plugin.localkek;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// How a DEK lies under a local KEK, and where the local KEK itself is found.
///
/// The key id is the remote one's. The annotations are the remote ones and one more: the local KEK
/// as the KMS wrapped it. The ciphertext is a format byte, a random nonce and the DEK sealed with
/// AES-256-GCM; key id and annotations are bound to it as additional data.
final class LocalSeal {
  /// Names the wrapped local KEK. Stored in etcd, so it can never be changed.
  static final String ANNOTATION = "wrapped-kek.local.keyward.io";

  static final int KEK_BYTES = 32;

  private static final byte[] CONTEXT = "keyward local kek 1".getBytes(UTF_8);
  private static final byte FORMAT = 1;
  private static final int NONCE = 12;
  private static final int TAG = 16;

  private LocalSeal() {}

  /// What is stored beside a DEK under the local KEK that the KMS wrapped to `remote`.
  static Annotations annotations(Wrapped remote) {
    var entries = new HashMap<>(remote.annotations().entries());
    if (entries.put(ANNOTATION, remote.ciphertext()) != null) {
      throw new KmsException(Kind.INTERNAL, "the provider uses an annotation of the plugin");
    }
    try {
      return new Annotations(entries);
    } catch (IllegalArgumentException e) {
      throw new KmsException(Kind.INTERNAL, "no room for the local KEK in the annotations", e);
    }
  }

  /// The wrapped local KEK that `wrapped` lies under; empty if it lies under the remote one.
  static Optional<Wrapped> kekOf(Wrapped wrapped) {
    Bytes kek = wrapped.annotations().entries().get(ANNOTATION);
    if (kek == null) {
      return Optional.empty();
    }
    if (kek.size() == 0 || kek.size() > Wrapped.MAX_CIPHERTEXT) {
      throw new KmsException(Kind.CORRUPT, "the local KEK stored with the ciphertext is damaged");
    }
    var rest = new HashMap<>(wrapped.annotations().entries());
    rest.remove(ANNOTATION);
    return Optional.of(new Wrapped(wrapped.kek(), kek, new Annotations(rest)));
  }

  static Wrapped seal(Secret kek, Wrapped remote, Secret dek, SecureRandom random) {
    var nonce = new byte[NONCE];
    random.nextBytes(nonce);
    byte[] plain = dek.reveal();
    Annotations annotations = annotations(remote);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, kek, nonce);
      bind(cipher, remote.kek().value(), annotations);
      var out = ByteBuffer.allocate(1 + NONCE + plain.length + TAG).put(FORMAT).put(nonce);
      cipher.doFinal(ByteBuffer.wrap(plain), out);
      return new Wrapped(remote.kek(), Bytes.copyOf(out.array()), annotations);
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.INTERNAL, "AES-GCM is not available", e);
    }
  }

  static Secret open(Secret kek, Wrapped wrapped) {
    byte[] sealed = wrapped.ciphertext().toArray();
    if (sealed.length <= 1 + NONCE + TAG || sealed[0] != FORMAT || kek.size() != KEK_BYTES) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext was not made under a local KEK");
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, kek, Arrays.copyOfRange(sealed, 1, 1 + NONCE));
      bind(cipher, wrapped.kek().value(), wrapped.annotations());
      return new Secret(cipher.doFinal(sealed, 1 + NONCE, sealed.length - 1 - NONCE));
    } catch (AEADBadTagException e) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext fails its integrity check", e);
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.INTERNAL, "AES-GCM is not available", e);
    }
  }

  private static Cipher cipher(int mode, Secret kek, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(kek.reveal(), "AES"), new GCMParameterSpec(TAG * 8, nonce));
    return cipher;
  }

  private static void bind(Cipher cipher, String kekId, Annotations annotations) {
    add(cipher, CONTEXT);
    add(cipher, kekId.getBytes(UTF_8));
    annotations
        .entries()
        .forEach((name, value) -> {
          add(cipher, name.getBytes(UTF_8));
          add(cipher, value.toArray());
        });
  }

  /// Length first: without it, two fields could be cut at another place.
  private static void add(Cipher cipher, byte[] part) {
    cipher.updateAAD(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    cipher.updateAAD(part);
  }
}
