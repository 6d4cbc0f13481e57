package io.keyward.kms.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// A DEK under a one-time key, and the one-time key under a key of a remote KMS.
///
/// A KMS tells which version of the key it used only in its answer, so the version cannot be part
/// of the additional data that goes to the KMS; and for RSA and AES key wrap there is no additional
/// data at all. So the KMS wraps a key that is made for this one DEK, and AES-256-GCM under that
/// key binds the rest: the key id, the annotations, the version, and the wrapped one-time key
/// itself.
///
/// The form: a format byte; the version's length (1 byte) and the version; the wrapped one-time
/// key's length (2 bytes) and that key; then the sealed DEK. A one-time key seals once, so its
/// nonce is constant.
public final class Envelope {
  private static final byte FORMAT = 1;
  private static final int KEY = 32;
  private static final int TAG = 16;
  private static final byte[] NONCE = new byte[12];
  private static final byte[] LABEL = "keyward envelope 1".getBytes(UTF_8);

  private final byte[] header;
  private final byte[] sealed;
  private final String version;
  private final byte[] wrappedKey;

  private Envelope(byte[] header, byte[] sealed, String version, byte[] wrappedKey) {
    this.header = header;
    this.sealed = sealed;
    this.version = version;
    this.wrappedKey = wrappedKey;
  }

  /// A fresh key for one DEK: this is what the KMS wraps.
  public static Secret newOneTimeKey(SecureRandom random) {
    var bytes = new byte[KEY];
    random.nextBytes(bytes);
    return new Secret(bytes);
  }

  /// Seals `dek`, after the KMS has wrapped `oneTimeKey` to `wrappedKey` with `version` of `kek`.
  public static Wrapped seal(
      RemoteKek kek, String version, byte[] wrappedKey, Secret oneTimeKey, Secret dek) {
    byte[] name = version.getBytes(UTF_8);
    int size = 1 + 1 + name.length + 2 + wrappedKey.length;
    if (name.length == 0 || name.length > 255 || wrappedKey.length == 0) {
      throw new KmsException(Kind.INTERNAL, "the KMS gave no usable answer");
    }
    if (size + dek.size() + TAG > Wrapped.MAX_CIPHERTEXT) {
      throw new KmsException(Kind.INTERNAL, "the wrapped key is longer than KMS v2 allows");
    }
    byte[] header =
        ByteBuffer.allocate(size)
            .put(FORMAT)
            .put((byte) name.length)
            .put(name)
            .putShort((short) wrappedKey.length)
            .put(wrappedKey)
            .array();
    var id = kek.id(version);
    var annotations = kek.annotations(version);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, oneTimeKey);
      bind(cipher, header, id.value(), annotations.entries());
      byte[] sealed = cipher.doFinal(dek.reveal());
      byte[] all = Arrays.copyOf(header, size + sealed.length);
      System.arraycopy(sealed, 0, all, size, sealed.length);
      return new Wrapped(id, Bytes.copyOf(all), annotations);
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.INTERNAL, "AES-GCM is not available", e);
    }
  }

  /// Takes a stored ciphertext apart, without believing it yet.
  ///
  /// @throws KmsException of kind `CORRUPT` if it has not the form above
  public static Envelope read(Wrapped wrapped) {
    byte[] all = wrapped.ciphertext().toArray();
    ByteBuffer buffer = ByteBuffer.wrap(all);
    try {
      if (buffer.get() != FORMAT) {
        throw malformed();
      }
      byte[] name = new byte[Byte.toUnsignedInt(buffer.get())];
      buffer.get(name);
      byte[] wrappedKey = new byte[Math.min(Short.toUnsignedInt(buffer.getShort()), all.length)];
      buffer.get(wrappedKey);
      if (name.length == 0 || wrappedKey.length == 0 || buffer.remaining() <= TAG) {
        throw malformed();
      }
      return new Envelope(
          Arrays.copyOf(all, buffer.position()),
          Arrays.copyOfRange(all, buffer.position(), all.length),
          new String(name, UTF_8),
          wrappedKey);
    } catch (BufferUnderflowException e) {
      throw malformed();
    }
  }

  /// Refuses what does not say the same everywhere. Costs no call to the KMS.
  ///
  /// @throws KmsException of kind `UNKNOWN_KEK` if the key id is not that of `kek` in the version
  ///   of the ciphertext, `CORRUPT` if the annotations are not those that belong to it
  public void check(RemoteKek kek, Wrapped wrapped) {
    if (!belongsTo(kek, wrapped)) {
      throw new KmsException(Kind.UNKNOWN_KEK, "the key_id is not one of the configured key");
    }
    if (!kek.annotations(version).equals(wrapped.annotations())) {
      throw new KmsException(Kind.CORRUPT, "the annotations do not belong to this key_id");
    }
  }

  public boolean belongsTo(RemoteKek kek, Wrapped wrapped) {
    return kek.id(version).equals(wrapped.kek());
  }

  public String version() {
    return version;
  }

  public byte[] wrappedKey() {
    return wrappedKey.clone();
  }

  /// Opens the DEK with the one-time key that the KMS gave back.
  public Secret open(Wrapped wrapped, Secret oneTimeKey) {
    if (oneTimeKey.size() != KEY) {
      throw changed();
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, oneTimeKey);
      bind(cipher, header, wrapped.kek().value(), wrapped.annotations().entries());
      return new Secret(cipher.doFinal(sealed));
    } catch (AEADBadTagException e) {
      throw changed();
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.INTERNAL, "AES-GCM is not available", e);
    }
  }

  private static Cipher cipher(int mode, Secret key) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(key.reveal(), "AES"), new GCMParameterSpec(TAG * 8, NONCE));
    return cipher;
  }

  private static void bind(
      Cipher cipher, byte[] header, String id, java.util.Map<String, Bytes> annotations) {
    bind(cipher, LABEL);
    bind(cipher, header);
    bind(cipher, id.getBytes(UTF_8));
    annotations.forEach((name, value) -> {
      bind(cipher, name.getBytes(UTF_8));
      bind(cipher, value.toArray());
    });
  }

  /// Lengths first, so that bytes cannot move from one part to the next.
  private static void bind(Cipher cipher, byte[] part) {
    cipher.updateAAD(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    cipher.updateAAD(part);
  }

  private static KmsException malformed() {
    return new KmsException(Kind.CORRUPT, "the ciphertext was not made by this provider");
  }

  private static KmsException changed() {
    return new KmsException(Kind.CORRUPT, "the ciphertext fails its integrity check");
  }
}
