package io.keyward.kms.pkcs11;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.AuthProvider;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.security.UnrecoverableKeyException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginException;

/// A login at a token, and the versions of the KEK that were found there.
final class HsmSession {
  private static final AtomicInteger COUNT = new AtomicInteger();

  /// Not the zero block: its encryption is the secret that AES-GCM authenticates with.
  private static final byte[] FINGERPRINT = "keyward kek id 1".getBytes(US_ASCII);

  private final Provider provider;
  private final Map<KekId, HsmKey> keys;
  private final long madeAt = System.nanoTime();

  private HsmSession(Provider provider, Map<KekId, HsmKey> keys) {
    this.provider = provider;
    this.keys = keys;
  }

  static HsmSession open(Pkcs11Settings settings) {
    long slot =
        settings
            .slot()
            .orElseGet(
                () -> TokenFinder.slotOf(settings.module(), settings.tokenLabel().orElseThrow()));
    try {
      return read(provider(settings.module(), slot), settings);
    } catch (ProviderException | java.security.InvalidParameterException e) {
      throw new KmsException(
          Kind.UNAVAILABLE,
          "the token cannot be used",
          Map.of("cause", rootCause(e).getClass().getSimpleName()));
    }
  }

  /// The same login, and the keys that are there now.
  HsmSession refreshed(Pkcs11Settings settings) {
    return read(provider, settings);
  }

  private static HsmSession read(Provider provider, Pkcs11Settings settings) {
    char[] pin = new SecretFile(settings.pinFile()).read().toCharArray();
    try {
      KeyStore store = KeyStore.getInstance("PKCS11", provider);
      store.load(null, pin);
      var keys = new HashMap<KekId, HsmKey>();
      for (String label : Collections.list(store.aliases())) {
        OptionalLong version = settings.key().version(label);
        if (version.isPresent() && store.isKeyEntry(label)) {
          Key handle = store.getKey(label, null);
          if (handle.getAlgorithm().equals("AES")) {
            var key = new HsmKey(id(provider, handle), version.getAsLong(), handle);
            keys.put(key.id(), key);
          }
        }
      }
      return new HsmSession(provider, keys);
    } catch (IOException e) {
      throw login(e);
    } catch (GeneralSecurityException e) {
      throw new KmsException(Kind.UNAVAILABLE, "the keys of the token cannot be read", e);
    } finally {
      Arrays.fill(pin, '\0');
    }
  }

  /// The id comes from the key itself, not from the token: HSMs in a group hold copies of one key,
  /// and every node must call it by one name.
  private static KekId id(Provider provider, Key handle) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding", provider);
    cipher.init(Cipher.ENCRYPT_MODE, handle);
    String fingerprint = HexFormat.of().formatHex(cipher.doFinal(FINGERPRINT));
    return KekId.of(Pkcs11Provider.NAME, "aes", fingerprint);
  }

  private static Provider provider(Path module, long slot) {
    String config =
        """
        --name = keyward%d
        library = "%s"
        slot = %d
        destroyTokenAfterLogout = false
        """
            .formatted(COUNT.incrementAndGet(), module, slot);
    Provider prototype =
        Optional.ofNullable(Security.getProvider("SunPKCS11"))
            .orElseThrow(() ->
                new KmsException(Kind.INTERNAL, "this JDK has no module jdk.crypto.cryptoki"));
    return prototype.configure(config);
  }

  private static KmsException login(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof FailedLoginException || cause instanceof UnrecoverableKeyException) {
        return new KmsException(
            Kind.DENIED,
            "the token refuses the PIN; correct the PIN file before the token locks itself");
      }
    }
    return new KmsException(
        Kind.UNAVAILABLE,
        "the login at the token failed",
        Map.of("cause", rootCause(e).getClass().getSimpleName()));
  }

  private static Throwable rootCause(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  Cipher cipher() throws GeneralSecurityException {
    return Cipher.getInstance("AES/GCM/NoPadding", provider);
  }

  Optional<HsmKey> key(KekId id) {
    return Optional.ofNullable(keys.get(id));
  }

  Optional<HsmKey> newest() {
    return keys.values().stream().max(Comparator.comparingLong(HsmKey::version));
  }

  int versions() {
    return keys.size();
  }

  long ageNanos() {
    return System.nanoTime() - madeAt;
  }

  void close() {
    try {
      if (provider instanceof AuthProvider token) {
        token.logout();
      }
    } catch (LoginException | ProviderException _) {
      // It is gone already, which is why it is closed.
    }
  }
}
