package io.keyward.dev.cluster;

import io.keyward.cli.CommandFailure;
import io.keyward.dev.Home;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.dev.KubeadmDev;
import io.keyward.testbed.dev.ManagedDev;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.process.TestbedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Holds a cluster until it is ended. `keyward dev up` with `--managed` or `--kubeadm` starts it.
@Command(name = "hold", hidden = true, description = "Holds a cluster until it is ended.")
final class HoldCommand implements Callable<Integer> {
  @Option(names = "--cluster", required = true, paramLabel = "DIRECTORY")
  private Path directory = Path.of("");

  @Option(names = "--kubeadm", paramLabel = "NODES")
  private int kubeadmNodes;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try {
      if (kubeadmNodes > 0) {
        holdKubeadm(err);
      } else {
        holdManaged(err);
      }
    } catch (TestbedException e) {
      throw new CommandFailure(e.problem(), e.remedy(), e);
    }
    new CountDownLatch(1).await();
    return 0;
  }

  private void holdManaged(PrintWriter err) {
    var cluster =
        new ManagedCluster(
            directory, Home.ofThisProcess(), ServerBinaries.ofThisMachine(), err::println);
    Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "end"));
    cluster.start();
    ManagedDev.announce(cluster);
  }

  private void holdKubeadm(PrintWriter err) {
    var cluster =
        KubeadmCluster.start(directory, kubeadmNodes, ServerBinaries.ofThisMachine(), err::println);
    Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "end"));
    KubeadmDev.announce(cluster);
  }
}
