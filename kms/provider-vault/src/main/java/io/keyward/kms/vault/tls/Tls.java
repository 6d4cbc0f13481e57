package io.keyward.kms.vault.tls;

import io.keyward.kms.remote.TrustedCa;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// What TLS to Vault is made of, all of it in files.
///
/// @param ca who may have signed Vault's certificate; empty means whom the JDK trusts
/// @param own our certificate and key, where Vault wants one
/// @param serverName the name in Vault's certificate, where it is not the one in the address
public record Tls(Optional<Path> ca, Optional<Own> own, Optional<String> serverName) {
  /// May be one file that holds both, as a kubelet writes it.
  public record Own(Path certificate, Path key) {}

  private static final char[] IN_MEMORY = "keyward".toCharArray();

  public List<Path> files() {
    var files = new ArrayList<Path>();
    ca.ifPresent(files::add);
    own.ifPresent(pair -> {
      files.add(pair.certificate());
      files.add(pair.key());
    });
    return files;
  }

  /// Of the files as they are now.
  ///
  /// @throws KmsException of kind `UNAVAILABLE`: a file may be there, or whole, the next time
  public SSLContext context() {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(keys(), trust(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new KmsException(Kind.UNAVAILABLE, "the certificates for Vault cannot be used", e);
    }
  }

  private TrustManager @Nullable [] trust() throws GeneralSecurityException, IOException {
    if (ca.isEmpty()) {
      return null; // the JDK's own
    }
    return new TrustManager[] {TrustedCa.trusting(Pem.certificates(ca.get()))};
  }

  private KeyManager[] keys() throws GeneralSecurityException, IOException {
    if (own.isEmpty()) {
      return new KeyManager[0];
    }
    KeyStore store = emptyStore();
    Certificate[] chain = Pem.certificates(own.get().certificate()).toArray(Certificate[]::new);
    store.setKeyEntry("own", Pem.privateKey(own.get().key(), chain[0]), IN_MEMORY, chain);
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, IN_MEMORY);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  public static KmsException problem(Path file, String what, String hint) {
    return new KmsException(
        Kind.UNAVAILABLE,
        "a file with a certificate or its key " + what,
        Map.of("file", file.toString(), KmsException.HINT, hint));
  }
}
