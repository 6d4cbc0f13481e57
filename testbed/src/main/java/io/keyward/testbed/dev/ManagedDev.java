package io.keyward.testbed.dev;

import io.keyward.testbed.Distribution;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.process.LogTail;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// A managed cluster that outlives the command that started it. One process holds all of it, and
/// takes all of it along when it ends.
public final class ManagedDev {
  static final String NAME = "managed";

  /// Where the holder writes the address of the cluster once all of it is up.
  private static final String READY = "ready";

  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int TAIL = 15;

  private ManagedDev() {}

  /// Starts the holder and waits until the cluster is up.
  static DevServer start(Distribution keyward, Path cluster) {
    ServerProcess holder =
        ServerProcess.start(
            keyward.detached(NAME, log(cluster), "dev", "hold", "--cluster", cluster.toString()));
    Path ready = cluster.resolve(READY);
    Waiting.until(() -> !holder.isRunning() || Files.exists(ready), LIMIT);
    if (!Files.exists(ready)) {
      holder.stop();
      throw new TestbedException(
          "the managed cluster does not start",
          "full log: " + log(cluster),
          LogTail.of(log(cluster), TAIL));
    }
    Pki pki = Pki.open(cluster.resolve("pki"));
    KeyPairFiles admin = pki.admin();
    return new DevServer(
        NAME,
        holder.identity(),
        holder.launch().command(),
        log(cluster),
        address(ready).resolve("/readyz"),
        pki.clusterCa(),
        admin.certificate(),
        admin.key());
  }

  private static Path log(Path cluster) {
    return cluster.resolve("logs").resolve(NAME + ".log");
  }

  private static URI address(Path ready) {
    try {
      return URI.create(Files.readString(ready).strip());
    } catch (IOException e) {
      throw new TestbedException("cannot read " + ready, "check its owner and mode", e);
    }
  }

  static List<Path> socketDirectories(Path cluster) {
    return IntStream.range(0, ManagedCluster.NODES)
        .mapToObj(i -> ManagedCluster.sockets(cluster, i))
        .toList();
  }

  /// The holder says that the cluster is up.
  public static void announce(ManagedCluster cluster) {
    try {
      Path partial = cluster.directory().resolve(".ready");
      Files.writeString(partial, cluster.gate().door(0) + "\n");
      Files.move(partial, cluster.directory().resolve(READY));
    } catch (IOException e) {
      throw new TestbedException("cannot write to " + cluster.directory(), "is the disk full?", e);
    }
  }
}
