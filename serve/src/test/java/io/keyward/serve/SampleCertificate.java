package io.keyward.serve;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// A self-signed certificate for loopback.
record SampleCertificate(X509Certificate certificate, KeyPair keys) {
  private static final int SHORT = 2048;

  static SampleCertificate create(String algorithm) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("RSA")) {
      generator.initialize(SHORT); // the default takes seconds
    }
    KeyPair keys = generator.generateKeyPair();
    var name = new X500Principal("CN=keyward-test");
    Instant now = Instant.now();
    var builder =
        new JcaX509v3CertificateBuilder(
            name,
            BigInteger.valueOf(now.toEpochMilli()),
            Date.from(now.minus(Duration.ofHours(1))),
            Date.from(now.plus(Duration.ofHours(1))),
            name,
            keys.getPublic());
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
    String signature =
        switch (algorithm) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> algorithm;
        };
    var signer = new JcaContentSignerBuilder(signature).build(keys.getPrivate());
    return new SampleCertificate(
        new JcaX509CertificateConverter().getCertificate(builder.build(signer)), keys);
  }

  void write(TlsFiles files) throws Exception {
    writeCertificate(files.certificate());
    writeKey(files.key());
  }

  void writeCertificate(Path file) throws Exception {
    pem(file, "CERTIFICATE", certificate.getEncoded());
  }

  void writeKey(Path file) throws Exception {
    pem(file, "PRIVATE KEY", keys.getPrivate().getEncoded());
  }

  static void pem(Path file, String type, byte[] content) throws Exception {
    String text =
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
            .formatted(type, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content));
    // As Kubernetes does: a new file takes the place of the old one.
    Path fresh = file.resolveSibling("." + file.getFileName());
    Files.writeString(fresh, text);
    Files.move(fresh, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }
}
