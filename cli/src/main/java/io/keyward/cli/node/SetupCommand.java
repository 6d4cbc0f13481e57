package io.keyward.cli.node;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.node.setup.NodeSetup;
import io.keyward.serve.StopOnSignal;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Places the node agent on a node of kubeadm.
@Command(
    name = "setup",
    header = "Run the node agent as a static pod of this node.",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the manifest of the node agent's static pod and its configuration on this node, and",
      "keeps both up to date until it is stopped. The DaemonSet keyward-node-setup runs it on every",
      "control-plane node."
    },
    footer = {
      "",
      "Examples:",
      "  keyward node-agent setup --image registry.example.com/keyward:0.1.0 \\",
      "      --config config.yaml --cluster-server https://api.example.com:6443",
      "",
      "Exit codes: 0 stopped by a signal, 2 could not do it, 64 wrong usage."
    })
public final class SetupCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--image", required = true, paramLabel = "NAME", description = "The image.")
  private String image = "";

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration of the operator and the node agents.")
  private Path config = Path.of("");

  @Option(
      names = "--cluster-server",
      required = true,
      paramLabel = "URL",
      description = "The API of the cluster while the API server of this node is down.")
  private String clusterServer = "";

  @Option(
      names = "--plugin-dir",
      split = ",",
      paramLabel = "DIR",
      description = "A directory of the node with sockets of KMS plugins; may be repeated.")
  private List<String> pluginDirectories = new ArrayList<>();

  @Mixin private KubeadmOptions node = new KubeadmOptions();

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    var setup =
        new NodeSetup(node.place(), line -> err.println("keyward node-agent setup: " + line));
    try (var _ = StopOnSignal.install()) {
      setup.run(config, image, clusterServer, pluginDirectories);
      return ExitCode.FINE;
    } catch (InterruptedException _) {
      return ExitCode.FINE;
    } catch (UncheckedIOException e) {
      throw new CommandFailure(
          String.valueOf(e.getMessage()), "check the mounted directories and run it as root", e);
    }
  }
}
