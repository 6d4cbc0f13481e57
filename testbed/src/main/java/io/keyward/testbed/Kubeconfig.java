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
public final class Kubeconfig {
  private Kubeconfig() {}

  public static Path write(Path file, URI server, Path ca, KeyPairFiles client) {
    try {
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
            user:
              client-certificate-data: %s
              client-key-data: %s
          contexts:
          - name: keyward
            context:
              cluster: keyward
              user: keyward
          current-context: keyward
          """
              .formatted(server, base64(ca), base64(client.certificate()), base64(client.key()));
      Path partial =
          Files.createTempFile(
              file.toAbsolutePath().getParent(),
              "kubeconfig",
              ".partial",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(partial, text);
      return Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TestbedException(
          "cannot write " + file, "use a directory that you may write to", e);
    }
  }

  private static String base64(Path file) throws IOException {
    return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
  }
}
