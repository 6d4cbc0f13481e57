package io.keyward.kube.client;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// When the client certificate of a kubeconfig is valid.
public record CertificateLife(Instant notBefore, Instant notAfter) {
  /// Of the first certificate; empty where there is none that can be read.
  static Optional<CertificateLife> of(@Nullable String pemInBase64) {
    if (pemInBase64 == null || pemInBase64.isEmpty()) {
      return Optional.empty();
    }
    try {
      var pem = new ByteArrayInputStream(Base64.getMimeDecoder().decode(pemInBase64));
      var certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
      return Optional.of(
          new CertificateLife(
              certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant()));
    } catch (CertificateException | IllegalArgumentException _) {
      // The client library reports what is wrong with it when it connects.
      return Optional.empty();
    }
  }
}
