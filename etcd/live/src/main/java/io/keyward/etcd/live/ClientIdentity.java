package io.keyward.etcd.live;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/// A client certificate and its private key, from PEM files.
///
/// The JDK reads private keys as PKCS#8 only. kubeadm writes PKCS#1 for RSA and SEC1 for ECDSA, so
/// both are converted.
record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  private static final String PKCS1 = "RSA PRIVATE KEY";
  private static final String SEC1 = "EC PRIVATE KEY";
  private static final String PKCS8 = "PRIVATE KEY";
  private static final String ENCRYPTED = "ENCRYPTED PRIVATE KEY";

  /// A file that cannot be read, or does not contain what its name promises.
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(Path file, String problem) {
      super(file + " " + problem);
    }

    Unusable(Path file, String problem, Throwable cause) {
      super(file + " " + problem, cause);
    }
  }

  /// One part of a PEM file.
  private record Block(String label, String body) {}

  ClientIdentity {
    chain = List.copyOf(chain);
  }

  static ClientIdentity read(Access.Certificate files) throws Unusable {
    List<X509Certificate> chain = chain(files.chain());
    return new ClientIdentity(
        chain, key(files.key(), chain.getFirst().getPublicKey().getAlgorithm()));
  }

  private static List<X509Certificate> chain(Path file) throws Unusable {
    var found = new ArrayList<X509Certificate>();
    for (Block block : blocks(file)) {
      if (block.label().equals("CERTIFICATE")) {
        try {
          var in = new ByteArrayInputStream(decode(block));
          found.add(
              (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
          throw new Unusable(file, "contains a damaged certificate", e);
        }
      }
    }
    if (found.isEmpty()) {
      throw new Unusable(file, "contains no certificate");
    }
    return found;
  }

  private static PrivateKey key(Path file, String algorithm) throws Unusable {
    for (Block block : blocks(file)) {
      boolean isKey = block.label().endsWith(PKCS8);
      if (isKey && (block.label().equals(ENCRYPTED) || block.body().contains("ENCRYPTED"))) {
        throw new Unusable(file, "is protected by a passphrase");
      }
      if (isKey) {
        try {
          var spec = new PKCS8EncodedKeySpec(pkcs8(block));
          return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
          throw new Unusable(
              file, "contains a damaged private key, or not the kind of the certificate", e);
        }
      }
    }
    throw new Unusable(file, "contains no private key");
  }

  private static byte[] pkcs8(Block block) throws IOException {
    byte[] der = decode(block);
    return switch (block.label()) {
      case PKCS1 ->
          new PrivateKeyInfo(
                  new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                  RSAPrivateKey.getInstance(der))
              .getEncoded();
      case SEC1 -> {
        ECPrivateKey key = ECPrivateKey.getInstance(der);
        yield new PrivateKeyInfo(
                new AlgorithmIdentifier(
                    X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject()),
                key)
            .getEncoded();
      }
      default -> der;
    };
  }

  private static byte[] decode(Block block) {
    return Base64.getMimeDecoder().decode(block.body());
  }

  private static List<Block> blocks(Path file) throws Unusable {
    try {
      var found = new ArrayList<Block>();
      Matcher matcher = BLOCK.matcher(new String(Files.readAllBytes(file), US_ASCII));
      while (matcher.find()) {
        found.add(new Block(matcher.group(1), matcher.group(2)));
      }
      return found;
    } catch (IOException e) {
      throw new Unusable(file, "cannot be read", e);
    }
  }
}
