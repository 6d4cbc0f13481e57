package io.keyward.testbed.pki;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// TLS as a client that trusts one authority.
public final class TlsContexts {
  private static final char[] IN_MEMORY_ONLY = "keyward".toCharArray();

  private TlsContexts() {}

  public static SSLContext client(Path ca, KeyPairFiles client) {
    try {
      KeyStore own = emptyStore();
      own.setKeyEntry(
          "client",
          PemText.readPrivateKey(client.key()),
          IN_MEMORY_ONLY,
          new Certificate[] {PemText.readCertificate(client.certificate())});
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, IN_MEMORY_ONLY);
      return context(keys.getKeyManagers(), ca);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("certificates of our own making", e);
    }
  }

  /// Without a certificate of its own.
  public static SSLContext trusting(Path ca) {
    try {
      return context(new KeyManager[0], ca);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("a certificate of our own making", e);
    }
  }

  private static SSLContext context(KeyManager[] keys, Path ca)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = emptyStore();
    trusted.setCertificateEntry("ca", PemText.readCertificate(ca));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
