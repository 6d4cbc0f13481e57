package io.keyward.testbed.pki;

import io.keyward.testbed.process.TestbedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/// Certificates and keys as files that only their owner can read.
final class PemText {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";
  private static final String PUBLIC_KEY = "PUBLIC KEY";

  private PemText() {}

  static void writeCertificate(Path file, byte[] der) {
    write(file, CERTIFICATE, der);
  }

  static void writePrivateKey(Path file, byte[] pkcs8) {
    write(file, PRIVATE_KEY, pkcs8);
  }

  static void writePublicKey(Path file, byte[] spki) {
    write(file, PUBLIC_KEY, spki);
  }

  static X509Certificate readCertificate(Path file) {
    try {
      var der = new ByteArrayInputStream(read(file, CERTIFICATE));
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(der);
    } catch (GeneralSecurityException e) {
      throw damaged(file, e);
    }
  }

  /// Keys of the testbed are EC, those of kubeadm RSA.
  static PrivateKey readPrivateKey(Path file) {
    var encoded = new PKCS8EncodedKeySpec(read(file, PRIVATE_KEY));
    try {
      return KeyFactory.getInstance("EC").generatePrivate(encoded);
    } catch (GeneralSecurityException _) {
      try {
        return KeyFactory.getInstance("RSA").generatePrivate(encoded);
      } catch (GeneralSecurityException e) {
        throw damaged(file, e);
      }
    }
  }

  private static void write(Path file, String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    String text = "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    try {
      // Created with its mode, so that there is no moment in which others can open it.
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, text, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new TestbedException(
          "cannot write " + file, "use a new directory that you may write to", e);
    }
  }

  private static byte[] read(Path file, String label) {
    try {
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      return Base64.getMimeDecoder()
          .decode(
              text.replace("-----BEGIN " + label + "-----", "")
                  .replace("-----END " + label + "-----", ""));
    } catch (IOException e) {
      throw new TestbedException("cannot read " + file, "", e);
    } catch (IllegalArgumentException e) {
      throw damaged(file, e);
    }
  }

  private static TestbedException damaged(Path file, Exception e) {
    return new TestbedException(file + " is damaged", "delete its directory and start again", e);
  }
}
