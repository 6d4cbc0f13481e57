package io.keyward.testbed;

import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;

/// A kubeconfig with everything inside, so that it can be copied.
public final class KubeconfigFile {
  private KubeconfigFile() {}

  /// With a client certificate.
  public static Path write(Path file, URI server, Path ca, KeyPairFiles client) {
    try {
      return write(
          file,
          server,
          ca,
          "{client-certificate-data: %s, client-key-data: %s}"
              .formatted(base64(client.certificate()), base64(client.key())));
    } catch (IOException e) {
      throw unwritten(file, e);
    }
  }

  /// With the token of an account.
  static Path write(Path file, URI server, Path ca, Token token) {
    try {
      return write(file, server, ca, "{token: %s}".formatted(token.value()));
    } catch (IOException e) {
      throw unwritten(file, e);
    }
  }

  /// What an API server gives to those who may act as an account.
  record Token(String value) {
    @Override
    public String toString() {
      return "a token";
    }
  }

  private static TestbedException unwritten(Path file, IOException e) {
    return new TestbedException("cannot write " + file, "use a directory that you may write to", e);
  }

  private static Path write(Path file, URI server, Path ca, String user) throws IOException {
    String text =
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: keyward
          cluster:
            server: %s
            certificate-authority-data: %s
        users:
        - name: keyward
          user: %s
        contexts:
        - name: keyward
          context:
            cluster: keyward
            user: keyward
        current-context: keyward
        """
            .formatted(server, base64(ca), user);
    Path partial =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "kubeconfig",
            ".partial",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(partial, text);
    return Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String base64(Path file) throws IOException {
    return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
  }
}
