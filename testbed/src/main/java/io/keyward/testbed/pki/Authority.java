package io.keyward.testbed.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Signs certificates for one purpose. Keys are ECDSA P-256: small, fast and liked by every server.
final class Authority {
  private static final Duration LIFE = Duration.ofDays(365);

  /// The clock of a machine that was just restored may run behind.
  private static final Duration BACKDATED = Duration.ofHours(1);

  private final Path directory;
  private final X500Name name;
  private final PrivateKey key;
  private final Path certificate;

  private Authority(Path directory, X500Name name, PrivateKey key, Path certificate) {
    this.directory = directory;
    this.name = name;
    this.key = key;
    this.certificate = certificate;
  }

  static Authority create(Path directory, String name) {
    KeyPair pair = newKeyPair();
    KeyPairFiles files = KeyPairFiles.in(directory, name);
    X500Name subject = subject("keyward " + name, Optional.empty());
    var authority = new Authority(directory, subject, pair.getPrivate(), files.certificate());
    authority.sign(
        files,
        pair,
        subject,
        builder -> {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
          builder.addExtension(
              Extension.keyUsage,
              true,
              new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
        });
    return authority;
  }

  static Authority open(Path directory, String name) {
    KeyPairFiles files = KeyPairFiles.in(directory, name);
    X509Certificate own = PemText.readCertificate(files.certificate());
    X500Principal subject = own.getSubjectX500Principal();
    return new Authority(
        directory,
        X500Name.getInstance(subject.getEncoded()),
        PemText.readPrivateKey(files.key()),
        files.certificate());
  }

  Path certificate() {
    return certificate;
  }

  /// For a server that is reached on loopback, and under these names and addresses.
  KeyPairFiles issueServer(String file, List<String> names) {
    return issue(
        file,
        subject(file, Optional.empty()),
        new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth},
        builder ->
            builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names)));
  }

  KeyPairFiles issueClient(String file, String user, Optional<String> group) {
    return issue(
        file, subject(user, group), new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth}, _ -> {});
  }

  private KeyPairFiles issue(
      String file, X500Name subject, KeyPurposeId[] purposes, Extensions more) {
    KeyPairFiles files = KeyPairFiles.in(directory, file);
    if (Files.exists(files.certificate())) {
      return files;
    }
    sign(
        files,
        newKeyPair(),
        subject,
        builder -> {
          builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
          builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
          more.addTo(builder);
        });
    return files;
  }

  private void sign(KeyPairFiles files, KeyPair pair, X500Name subject, Extensions extensions) {
    Instant now = Instant.now();
    PublicKey publicKey = pair.getPublic();
    var builder =
        new JcaX509v3CertificateBuilder(
            name,
            new BigInteger(120, new SecureRandom()),
            Date.from(now.minus(BACKDATED)),
            Date.from(now.plus(LIFE)),
            subject,
            publicKey);
    try {
      extensions.addTo(builder);
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
      PemText.writePrivateKey(files.key(), pair.getPrivate().getEncoded());
      PemText.writeCertificate(files.certificate(), builder.build(signer).getEncoded());
    } catch (IOException | OperatorCreationException e) {
      throw new IllegalStateException("a certificate of our own making", e);
    }
  }

  static KeyPair newKeyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  private static X500Name subject(String user, Optional<String> group) {
    var builder = new X500NameBuilder(BCStyle.INSTANCE);
    group.ifPresent(name -> builder.addRDN(BCStyle.O, name));
    return builder.addRDN(BCStyle.CN, user).build();
  }

  private static GeneralNames alternatives(List<String> names) {
    GeneralName[] all = new GeneralName[names.size() + 1];
    all[0] =
        new GeneralName(GeneralName.iPAddress, InetAddress.getLoopbackAddress().getHostAddress());
    for (int i = 0; i < names.size(); i++) {
      boolean address = names.get(i).matches("[0-9.]+");
      all[i + 1] =
          new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, names.get(i));
    }
    return new GeneralNames(all);
  }

  @FunctionalInterface
  private interface Extensions {
    void addTo(X509v3CertificateBuilder builder) throws IOException;
  }
}
