package io.keyward.testbed.pod;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A node of the testbed: a name, an address on loopback, and a directory that is its disk.
public record NodeRoot(String name, String address, Path root) {
  public static final Path MANIFESTS = Path.of("/etc/kubernetes/manifests");
  public static final Path SOCKETS = Path.of("/var/run/kmsplugin");

  /// A path of the node on this machine.
  public Path at(Path path) {
    return root.resolve(Path.of("/").relativize(path)).normalize();
  }

  public Path manifests() {
    return at(MANIFESTS);
  }

  public Path sockets() {
    return at(SOCKETS);
  }

  /// Makes the directory where it is missing, for its owner alone.
  public Path make(Path path) {
    try {
      return Files.createDirectories(
          at(path),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new TestbedException(
          "cannot create " + at(path), "use a directory that you may write to", e);
    }
  }
}
