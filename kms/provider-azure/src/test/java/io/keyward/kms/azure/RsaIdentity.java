package io.keyward.kms.azure;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// A self-signed RSA certificate and its key in one PEM file, as Azure wants them for a log-in.
final class RsaIdentity {
  private RsaIdentity() {}

  static Path write(Path directory) throws IOException {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      KeyPair pair = generator.generateKeyPair();
      var name = new X500Name("CN=fake-client");
      Instant now = Instant.now();
      var builder =
          new JcaX509v3CertificateBuilder(
              name,
              BigInteger.ONE,
              Date.from(now.minus(Duration.ofHours(1))),
              Date.from(now.plus(Duration.ofDays(1))),
              name,
              pair.getPublic());
      byte[] certificate =
          builder
              .build(new JcaContentSignerBuilder("SHA256withRSA").build(pair.getPrivate()))
              .getEncoded();
      return Files.writeString(
          directory.resolve("client.pem"),
          pem("PRIVATE KEY", pair.getPrivate().getEncoded()) + pem("CERTIFICATE", certificate));
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("a certificate of our own making", e);
    }
  }

  private static String pem(String kind, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }
}
