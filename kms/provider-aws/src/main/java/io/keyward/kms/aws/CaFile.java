package io.keyward.kms.aws;

import io.keyward.kms.spi.SettingsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/// The certificates of a file, as the only ones to trust.
final class CaFile {
  private CaFile() {}

  static TrustManager[] trustManagers(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + number++, each);
      }
      if (number == 0) {
        throw new SettingsException(AwsSettings.CA_FILE, "holds no certificate: " + file);
      }
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    } catch (IOException | GeneralSecurityException e) {
      throw new SettingsException(AwsSettings.CA_FILE, "holds no certificates that can be read");
    }
  }
}
