package io.keyward.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A certificate chain and the private key that belongs to it.
///
/// @param alias names this pair in a handshake
record ServerIdentity(String alias, List<X509Certificate> chain, PrivateKey key) {
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  /// @throws ListenFailure if a file cannot be read, or if the two do not belong together
  static ServerIdentity read(TlsFiles files, String alias) {
    List<X509Certificate> chain = chain(files.certificate());
    PublicKey certified = chain.getFirst().getPublicKey();
    PrivateKey key = key(files.key(), certified.getAlgorithm());
    if (!belongTogether(certified, key)) {
      throw new ListenFailure(
          "the key in "
              + files.key()
              + " does not belong to the certificate in "
              + files.certificate(),
          "set the key for which this certificate was issued");
    }
    return new ServerIdentity(alias, chain, key);
  }

  private static List<X509Certificate> chain(Path file) {
    try {
      List<X509Certificate> chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes(file)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!chain.isEmpty()) {
        return chain;
      }
    } catch (GeneralSecurityException e) {
      throw new ListenFailure(
          "the certificate in " + file + " is damaged", "write it in PEM format", e);
    }
    throw new ListenFailure("there is no certificate in " + file, "write it in PEM format");
  }

  private static PrivateKey key(Path file, String algorithm) {
    Matcher pem = PRIVATE_KEY.matcher(new String(bytes(file), US_ASCII));
    if (!pem.find()) {
      throw new ListenFailure(
          "there is no PKCS#8 private key in " + file,
          "convert it: openssl pkcs8 -topk8 -nocrypt -in " + file);
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new ListenFailure(
          "the private key in " + file + " is damaged, or not of the kind of the certificate",
          "set the key for which the certificate was issued",
          e);
    }
  }

  private static boolean belongTogether(PublicKey certified, PrivateKey key) {
    byte[] sample = "keyward".getBytes(US_ASCII);
    try {
      Signature signature = Signature.getInstance(signatureOf(key));
      signature.initSign(key);
      signature.update(sample);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(sample);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String signatureOf(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new ListenFailure("cannot read " + file, "check its path, owner and mode", e);
    }
  }
}
