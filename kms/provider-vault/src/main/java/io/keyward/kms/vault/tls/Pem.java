package io.keyward.kms.vault.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Certificates and private keys in PEM files.
public final class Pem {
  /// A bundle of all public authorities has a quarter of that.
  private static final int MAX_BYTES = 1 << 20;

  private static final Pattern CERTIFICATE = block("CERTIFICATE");
  private static final Pattern PKCS8 = block("PRIVATE KEY");

  private Pem() {}

  private static Pattern block(String name) {
    return Pattern.compile("-----BEGIN " + name + "-----([^-]+)-----END " + name + "-----");
  }

  /// All certificates of the file, at least one.
  public static List<X509Certificate> certificates(Path file) throws GeneralSecurityException {
    var found = new ArrayList<X509Certificate>();
    var factory = CertificateFactory.getInstance("X.509");
    Matcher matcher = CERTIFICATE.matcher(read(file));
    while (matcher.find()) {
      try {
        var in = new ByteArrayInputStream(decode(file, matcher.group(1)));
        found.add((X509Certificate) factory.generateCertificate(in));
      } catch (CertificateException _) {
        throw Tls.problem(file, "is damaged", "write it again");
      }
    }
    if (found.isEmpty()) {
      throw Tls.problem(file, "holds no certificate", "it must be a certificate in PEM");
    }
    return found;
  }

  /// The key that belongs to `certificate`, in PKCS#8 without a password.
  public static PrivateKey privateKey(Path file, Certificate certificate)
      throws GeneralSecurityException {
    Matcher matcher = PKCS8.matcher(read(file));
    if (!matcher.find()) {
      throw Tls.problem(
          file,
          "holds no private key in PKCS#8",
          "convert it with 'openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW'");
    }
    String algorithm = certificate.getPublicKey().getAlgorithm();
    var spec = new PKCS8EncodedKeySpec(decode(file, matcher.group(1)));
    return KeyFactory.getInstance(algorithm).generatePrivate(spec);
  }

  private static byte[] decode(Path file, String base64) {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      throw Tls.problem(file, "is damaged", "write it again");
    }
  }

  private static String read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw Tls.problem(file, "is too long", "it must be in PEM");
      }
      return new String(bytes, US_ASCII);
    } catch (NoSuchFileException _) {
      throw Tls.problem(file, "does not exist", "correct the path, or wait for its mount");
    } catch (IOException _) {
      throw Tls.problem(file, "cannot be read", "check its owner and mode");
    }
  }
}
