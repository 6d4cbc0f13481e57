package io.keyward.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.config.Provider.Version;
import io.keyward.storage.read.Unwrapper;
import io.keyward.storage.read.WrappedDek;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The fake KMS of the vectors (their README, section 2), in memory.
public final class FakeKms implements Unwrapper {
  private static final String LOCAL_KEK = "local-kek.fakekms.example.com";
  private static final int HEAD = 15;

  private final JsonNode plugins;

  public FakeKms(JsonNode plugins) {
    this.plugins = plugins;
  }

  @Override
  public Unwrapped unwrap(WrappedDek wrapped) {
    JsonNode plugin = plugins.path(wrapped.provider());
    JsonNode kek = plugin.path("keks").path(wrapped.keyId());
    if (kek.isMissingNode() || !hasStaticAnnotations(plugin, wrapped)) {
      return new Unwrapped.Failed("unknown key or annotations");
    }
    byte[] aad = wrapped.version() == Version.V2 ? wrapped.keyId().getBytes(UTF_8) : new byte[0];
    try {
      byte[] key = Base64.getDecoder().decode(kek.asText());
      ByteView local = wrapped.annotations().get(LOCAL_KEK);
      if (local != null) {
        key = open(key, local, aad);
      }
      return new Unwrapped.Dek(ByteView.wrap(open(key, wrapped.ciphertext(), aad)));
    } catch (GeneralSecurityException e) {
      return new Unwrapped.Failed("does not open");
    }
  }

  private static boolean hasStaticAnnotations(JsonNode plugin, WrappedDek wrapped) {
    for (var expected : plugin.path("annotations").properties()) {
      ByteView sent =
          wrapped.annotations().getOrDefault(expected.getKey(), ByteView.utf8("absent"));
      if (!Vectors.base64(expected.getValue()).equals(sent)) {
        return false;
      }
    }
    return true;
  }

  private static byte[] open(byte[] key, ByteView sealed, byte[] aad)
      throws GeneralSecurityException {
    if (sealed.size() < HEAD || sealed.at(0) != 1) {
      throw new GeneralSecurityException("not of this KMS");
    }
    int length = (sealed.at(13) & 0xff) << 8 | (sealed.at(14) & 0xff);
    if (sealed.size() < HEAD + length) {
      throw new GeneralSecurityException("cut short");
    }
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.DECRYPT_MODE,
        new SecretKeySpec(key, "AES"),
        new GCMParameterSpec(128, sealed.slice(1, 13).toArray()));
    cipher.updateAAD(aad);
    return cipher.doFinal(sealed.slice(HEAD, HEAD + length).toArray());
  }

  @Override
  public Optional<String> currentKeyId(String provider) {
    JsonNode current = plugins.path(provider).path("currentKeyId");
    return current.isMissingNode() ? Optional.empty() : Optional.of(current.asText());
  }
}
