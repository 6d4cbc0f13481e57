package io.keyward.kms.pkcs11;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/// Wraps with AES-GCM inside the HSM. The key id is bound as additional data.
final class Pkcs11Provider implements KmsProvider {
  static final String NAME = "pkcs11";

  private static final byte FORMAT = 1;
  private static final int NONCE = 12;
  private static final int TAG = 16;

  private final HsmAccess access;
  private final SecureRandom random = new SecureRandom();

  Pkcs11Provider(Pkcs11Settings settings) {
    this.access = new HsmAccess(settings);
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    return access.call(timeout, Optional.empty(), session -> wrap(dek, session));
  }

  private Wrapped wrap(Secret dek, HsmSession session) throws GeneralSecurityException {
    HsmKey key =
        session
            .newest()
            .orElseThrow(() ->
                new KmsException(Kind.UNKNOWN_KEK, "the token has no AES key with this label"));
    var nonce = new byte[NONCE];
    random.nextBytes(nonce);
    byte[] sealed = cipher(session, Cipher.ENCRYPT_MODE, key, nonce).doFinal(dek.reveal());
    byte[] all =
        ByteBuffer.allocate(1 + NONCE + sealed.length).put(FORMAT).put(nonce).put(sealed).array();
    return new Wrapped(key.id(), Bytes.copyOf(all), Annotations.NONE);
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    byte[] all = wrapped.ciphertext().toArray();
    if (!wrapped.annotations().entries().isEmpty()) {
      throw new KmsException(Kind.CORRUPT, "the annotations do not belong to this key_id");
    }
    if (all.length <= 1 + NONCE + TAG || all[0] != FORMAT) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext was not made by this provider");
    }
    return access.call(
        timeout, Optional.of(wrapped.kek()), session -> unwrap(wrapped.kek(), all, session));
  }

  private static Secret unwrap(KekId kek, byte[] all, HsmSession session)
      throws GeneralSecurityException {
    HsmKey key =
        session
            .key(kek)
            .orElseThrow(() ->
                new KmsException(
                    Kind.UNKNOWN_KEK,
                    "the token has no key version with this key_id",
                    Map.of("key_id", kek.value())));
    byte[] nonce = Arrays.copyOfRange(all, 1, 1 + NONCE);
    try {
      Cipher cipher = cipher(session, Cipher.DECRYPT_MODE, key, nonce);
      return new Secret(cipher.doFinal(all, 1 + NONCE, all.length - 1 - NONCE));
    } catch (AEADBadTagException e) {
      throw new KmsException(Kind.CORRUPT, "the ciphertext fails its integrity check", e);
    }
  }

  private static Cipher cipher(HsmSession session, int mode, HsmKey key, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = session.cipher();
    cipher.init(mode, key.handle(), new GCMParameterSpec(TAG * 8, nonce));
    cipher.updateAAD(key.id().value().getBytes(UTF_8));
    return cipher;
  }

  /// PKCS#11 knows no disabled keys and no expiry that modules keep to.
  @Override
  public KekReport report(Duration timeout) {
    int versions = access.call(timeout, Optional.empty(), HsmSession::versions);
    KekReport.State state = versions > 0 ? KekReport.State.ENABLED : KekReport.State.UNKNOWN;
    return new KekReport(state, Optional.empty(), Optional.empty(), List.of());
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public void close() {
    access.close();
  }

  /// Looks for new versions now.
  void refresh() {
    access.refresh();
  }

  /// What the provider does with a session may fail in two ways only.
  interface Use<T> {
    T with(HsmSession session) throws GeneralSecurityException, ProviderException;
  }
}
