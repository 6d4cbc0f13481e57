package io.keyward.testbed.kubeadm;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// The scripts and settings of nodes, which are resources beside this class.
final class NodeFiles {
  private static final List<String> NAMES =
      List.of(
          "node.sh",
          "systemctl",
          "containerd.toml",
          "pods.conflist",
          "haproxy.cfg",
          "guard.sh",
          "pause.go",
          "images.py");

  private NodeFiles() {}

  static void writeTo(Path directory) {
    NAMES.forEach(name -> write(directory.resolve(name)));
  }

  static void write(Path file) {
    String name = file.getFileName().toString();
    try (InputStream in = NodeFiles.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + name);
      }
      Files.createDirectories(file.getParent());
      Files.copy(in, file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new TestbedException("cannot write " + file, "choose another directory", e);
    }
  }
}
