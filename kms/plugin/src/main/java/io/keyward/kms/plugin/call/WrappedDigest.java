package io.keyward.kms.plugin.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.Wrapped;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// A hash of everything that a KMS would look at: key id, ciphertext and annotations. Who changes a
/// bit of any of them gets another hash, and so never the answer that was remembered for it.
public final class WrappedDigest {
  private WrappedDigest() {}

  public static Bytes of(Wrapped wrapped) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, wrapped.kek().value().getBytes(UTF_8));
      add(digest, wrapped.ciphertext().toArray());
      wrapped
          .annotations()
          .entries()
          .forEach((name, value) -> {
            add(digest, name.getBytes(UTF_8));
            add(digest, value.toArray());
          });
      return Bytes.copyOf(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// Length first: without it, two fields could be cut at another place.
  private static void add(MessageDigest digest, byte[] part) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    digest.update(part);
  }
}
