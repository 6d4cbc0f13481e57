package io.keyward.testbed.kubeadm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.testbed.Trees;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The images of the pods that kubeadm starts, in one archive, made of the testbed's own servers.
final class NodeImages {
  private static final List<ServerBinary> PROGRAMS =
      List.of(
          ServerBinary.ETCD,
          ServerBinary.ETCDCTL,
          ServerBinary.KUBE_APISERVER,
          ServerBinary.KUBE_CONTROLLER_MANAGER,
          ServerBinary.KUBE_SCHEDULER,
          ServerBinary.KUBE_PROXY);

  private NodeImages() {}

  /// Made once for each build of its servers, in their cache.
  static Path ensure(ServerBinaries binaries, Path scripts) {
    var arguments = new ArrayList<String>();
    for (ServerBinary program : PROGRAMS) {
      arguments.add(program.programName() + "=" + binaries.ensure(program));
    }
    Path archive =
        binaries
            .ensure(ServerBinary.KUBE_APISERVER)
            .resolveSibling("images-" + key(arguments, scripts) + ".tar");
    return Files.exists(archive) ? archive : pack(archive, scripts, arguments);
  }

  private static String key(List<String> arguments, Path scripts) {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      hash.update(arguments.toString().getBytes(UTF_8));
      hash.update(Files.readAllBytes(scripts.resolve("images.py")));
      hash.update(Files.readAllBytes(scripts.resolve("pause.go")));
      return HexFormat.of().formatHex(hash.digest()).substring(0, 16);
    } catch (IOException e) {
      throw new TestbedException("cannot read " + scripts, "choose another directory", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static Path pack(Path archive, Path scripts, List<String> arguments) {
    try {
      Path scratch = Files.createTempDirectory(archive.getParent(), "images");
      try {
        Path partial = scratch.resolve("images.tar");
        var command =
            new ArrayList<>(
                List.of(
                    "python3",
                    scripts.resolve("images.py").toString(),
                    partial.toString(),
                    scratch.toString(),
                    scripts.resolve("pause.go").toString()));
        command.addAll(arguments);
        Commands.must("packing the images of a node", command);
        // In one step: if two pack at once, either archive is right.
        return Files.move(partial, archive, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Trees.delete(scratch);
      }
    } catch (IOException e) {
      throw new TestbedException(
          "cannot write " + archive, "set KEYWARD_CACHE to a directory you may write to", e);
    }
  }
}
