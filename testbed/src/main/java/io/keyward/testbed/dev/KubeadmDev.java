package io.keyward.testbed.dev;

import io.keyward.testbed.Distribution;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.process.LogTail;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A kubeadm cluster that outlives the command that started it. One process holds all of it, and
/// removes all of it when it ends.
public final class KubeadmDev {
  static final String NAME = "kubeadm";
  private static final String READY = "ready";
  private static final Duration LIMIT = Duration.ofMinutes(30);
  private static final int TAIL = 15;

  private KubeadmDev() {}

  /// Starts the holder and waits until the cluster is up.
  ///
  /// @param log outside the directory of the cluster, which is removed if the start fails
  static DevServer start(Distribution keyward, Path cluster, Path log, int nodes) {
    ServerProcess holder =
        ServerProcess.start(
            keyward.detached(
                NAME,
                log,
                "dev",
                "hold",
                "--cluster",
                cluster.toString(),
                "--kubeadm",
                Integer.toString(nodes)));
    Path ready = cluster.resolve(READY);
    Waiting.until(() -> !holder.isRunning() || Files.exists(ready), LIMIT);
    if (!Files.exists(ready)) {
      holder.stop();
      throw new TestbedException(
          "the kubeadm cluster does not start", "full log: " + log, LogTail.of(log, TAIL));
    }
    try {
      return new DevServer(
          NAME,
          holder.identity(),
          holder.launch().command(),
          log,
          URI.create(Files.readString(ready).strip()).resolve("/readyz"),
          cluster.resolve("ca.crt"),
          cluster.resolve("admin.crt"),
          cluster.resolve("admin.key"));
    } catch (IOException e) {
      throw new TestbedException("cannot read " + ready, "check its owner and mode", e);
    }
  }

  /// The holder reports that the cluster is up.
  public static void announce(KubeadmCluster cluster) {
    Path directory = cluster.kubeconfig().resolveSibling("");
    cluster.writeCredentials(directory);
    try {
      Path partial = directory.resolve(".ready");
      Files.writeString(partial, cluster.address() + "\n");
      Files.move(partial, directory.resolve(READY));
    } catch (IOException e) {
      throw new TestbedException("cannot write to " + directory, "is the disk full?", e);
    }
  }
}
