package io.keyward.testbed.kubeadm;

import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.LogTail;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A node: a machine as far as kubelet, containerd and kubeadm can tell. Its directory is its disk.
public final class KubeadmNode {
  private static final Duration BOOT = Duration.ofSeconds(60);
  private static final String PATH =
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  private static final int TAIL = 20;

  private final int index;
  private final Path directory;
  private final ServerProcess process;

  static KubeadmNode boot(String cluster, Path home, int index, Path programs) {
    String name = "node" + index;
    Path directory = home.resolve(name);
    var launch =
        new Launch(
            name,
            List.of(
                home.resolve("files").resolve("node.sh").toString(),
                cluster,
                directory.toString(),
                Integer.toString(index),
                programs.toString()),
            Map.of(),
            home.resolve(name + ".log"),
            Launch.Lifetime.WITH_JVM);
    var node = new KubeadmNode(index, directory, ServerProcess.start(launch));
    node.awaitContainerd();
    return node;
  }

  private KubeadmNode(int index, Path directory, ServerProcess process) {
    this.index = index;
    this.directory = directory;
    this.process = process;
  }

  public int index() {
    return index;
  }

  public String name() {
    return "node" + index;
  }

  String address() {
    return "10.213.0." + (10 + index);
  }

  /// What a command on this node printed.
  ///
  /// @throws TestbedException if it fails
  public String run(String... command) {
    return Commands.must(command[0] + " on " + name(), inside(List.of(command)));
  }

  /// False also where the node does not run.
  public boolean succeeds(String... command) {
    return init().isPresent() && Commands.exitCode(inside(List.of(command))) == 0;
  }

  private List<String> inside(List<String> command) {
    String init =
        init().orElseThrow(() -> new TestbedException(name() + " does not run", "boot it first"));
    var all = new ArrayList<>(List.of("nsenter", "-t", init, "-m", "-n", "-p", "-u", "-i", "-C"));
    all.addAll(
        List.of("--", "env", "-i", "HOME=/root", "KUBECONFIG=/etc/kubernetes/admin.conf", PATH));
    all.addAll(command);
    return all;
  }

  /// The first process of the node, as the machine sees it: the only child of the one that created
  /// its namespaces. Before that one is `unshare`, it is a script with other children.
  private Optional<String> init() {
    Path outer = Path.of("/proc/" + process.pid());
    try {
      String children =
          Files.readString(outer.resolve("task/" + process.pid() + "/children")).strip();
      boolean isBooted = Files.readString(outer.resolve("comm")).strip().equals("unshare");
      return isBooted && !children.isEmpty()
          ? Optional.of(children.split(" ", -1)[0])
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// Writes a file on this node in one step.
  public void write(String path, String content) {
    try {
      Path passed = Files.createTempFile("keyward-node", ".file");
      try {
        Files.writeString(passed, content);
        // Nodes share the temporary directory of the machine.
        run(
            "sh",
            "-ec",
            "mkdir -p \"$(dirname \"$2\")\"; cp \"$1\" \"$2.part\"; mv \"$2.part\" \"$2\"",
            "sh",
            passed.toString(),
            path);
      } finally {
        Files.delete(passed);
      }
    } catch (IOException e) {
      throw new TestbedException("cannot write " + path + " on " + name(), "check /tmp", e);
    }
  }

  /// Kills everything on the node at once, as a power cut does.
  public void crash() {
    process.kill();
  }

  /// Boots a node that crashed, with its disk.
  public void reboot() {
    process.start();
    awaitContainerd();
  }

  /// The kernel may need a moment to release the files of a node that crashed.
  void deleteDisk() {
    List<String> command = List.of("rm", "-rf", directory.toString());
    if (!Waiting.until(() -> Commands.exitCode(command) == 0, BOOT)) {
      throw new TestbedException("cannot delete " + directory, "see which process uses it");
    }
  }

  private void awaitContainerd() {
    boolean booted = Waiting.until(() -> !process.isRunning() || succeeds("ctr", "version"), BOOT);
    if (!booted || !process.isRunning()) {
      throw new TestbedException(
          name() + " does not boot", "see " + process.log(), LogTail.of(process.log(), TAIL));
    }
  }

  /// The last lines of kubelet, for the message of a failure.
  List<String> kubeletLog() {
    return LogTail.of(directory.resolve("data/var/log/kubelet.log"), TAIL);
  }
}
