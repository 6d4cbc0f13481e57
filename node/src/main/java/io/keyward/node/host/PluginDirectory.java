package io.keyward.node.host;

import io.keyward.codec.object.KmsEndpoints;
import io.keyward.codec.pod.SidecarCodec;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.core.sidecar.PluginFiles;
import io.keyward.core.sidecar.Sidecars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;

/// The files of the plugins that Keyward runs beside the API server of this node: one directory for
/// each revision, so that a plugin that restarts never reads those of another one.
///
/// They contain credentials. Root writes them, and only the user of the plugins may read them.
final class PluginDirectory {
  private final Path root;

  /// @param root where this agent sees the directory with all revisions
  PluginDirectory(Path root) {
    this.root = root;
  }

  /// Writes the files of a revision; nothing where it has no plugins.
  ///
  /// @param before the revision that still runs, whose files stay
  void write(long revision, Map<String, byte[]> files, long before) {
    if (files.containsKey(PluginFiles.SIDECARS)) {
      Path directory = root.resolve(Long.toString(revision));
      try {
        Files.createDirectories(root);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(directory);
        PluginAccess.share(directory, "rwxr-x---");
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
          Path path = directory.resolve(plain(file.getKey()));
          AtomicFile.write(path, KmsEndpoints.forPlugins(file.getKey(), file.getValue()));
          PluginAccess.share(path, "r--r-----");
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + directory, e);
      }
    }
    removeAllBut(revision, before);
  }

  /// Names of data in a Secret cannot have a slash, but may be dots alone.
  private static String plain(String name) throws IOException {
    if (name.contains("/") || name.startsWith("..")) {
      throw new IOException("a part of the configuration cannot be a file");
    }
    return name;
  }

  /// Removes the files of all other revisions.
  void keepOnly(long revision) {
    removeAllBut(revision, revision);
  }

  private void removeAllBut(long revision, long before) {
    if (!Files.isDirectory(root)) {
      return;
    }
    try (Stream<Path> all = Files.list(root)) {
      for (Path one : all.toList()) {
        long number = RevisionNumber.parse(one.getFileName().toString()).orElse(revision);
        if (number != revision && number != before) {
          FileTree.delete(one);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + root, e);
    }
  }

  /// The containers of a revision.
  Sidecars sidecars(long revision) {
    Path file = root.resolve(Long.toString(revision)).resolve(PluginFiles.SIDECARS);
    try {
      return Files.exists(file) ? SidecarCodec.decode(Files.readString(file)) : Sidecars.NONE;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
