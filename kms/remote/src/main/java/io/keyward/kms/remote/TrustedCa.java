package io.keyward.kms.remote;

import io.keyward.kms.spi.SettingsException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Trusts the certificates of a PEM file and no others. The file is read again when it changes, so
/// an authority can be replaced without a restart; while it is unreadable the last good one counts.
public final class TrustedCa extends X509ExtendedTrustManager {
  private record Loaded(FileTime modified, X509ExtendedTrustManager trust) {}

  private final Path file;
  private volatile Loaded loaded;

  private TrustedCa(Path file, Loaded loaded) {
    this.file = file;
    this.loaded = loaded;
  }

  /// Reads the file for the first time.
  ///
  /// @throws SettingsException if the file, which setting `setting` names, holds no certificate
  public static TrustedCa of(String setting, Path file) {
    try {
      return new TrustedCa(file, load(file));
    } catch (IOException e) {
      throw new SettingsException(setting, "cannot be read: " + file);
    } catch (GeneralSecurityException e) {
      throw new SettingsException(setting, "holds no PEM certificates: " + file);
    }
  }

  /// TLS that trusts `ca`, or what the JDK trusts.
  public static SSLContext context(Optional<TrustedCa> ca) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, ca.map(trust -> new TrustManager[] {trust}).orElse(null), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  private static Loaded load(Path file) throws IOException, GeneralSecurityException {
    FileTime modified = Files.getLastModifiedTime(file);
    try (InputStream in = Files.newInputStream(file)) {
      var found = CertificateFactory.getInstance("X.509").generateCertificates(in);
      return new Loaded(modified, trusting(found));
    }
  }

  /// Trusts these certificates and no others.
  public static X509ExtendedTrustManager trusting(Collection<? extends Certificate> certificates)
      throws IOException, GeneralSecurityException {
    if (certificates.isEmpty()) {
      throw new CertificateException("no certificate");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (Certificate each : certificates) {
      store.setCertificateEntry("ca-" + store.size(), each);
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager extended) {
        return extended;
      }
    }
    throw new CertificateException("no trust manager");
  }

  private X509ExtendedTrustManager now() {
    Loaded known = loaded;
    try {
      if (!Files.getLastModifiedTime(file).equals(known.modified())) {
        known = load(file);
        loaded = known;
      }
    } catch (IOException | GeneralSecurityException e) {
      return known.trust(); // being replaced right now
    }
    return known.trust();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    now().checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    now().checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    now().checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    throw new CertificateException("a client trusts servers only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("a client trusts servers only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("a client trusts servers only");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return now().getAcceptedIssuers();
  }
}
