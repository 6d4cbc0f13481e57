package io.keyward.dev.cluster;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.dev.Home;
import io.keyward.dev.Root;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.dev.DevState;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `keyward dev up`
@Command(
    name = "up",
    header = "Starts a cluster and prints the path of its kubeconfig.",
    description =
        "The cluster goes on after this command and its shell. Where it is there already, what is"
            + " missing of it is started again.",
    footer = {
      "",
      "Examples:",
      "  export KUBECONFIG=$(keyward dev up)",
      "  keyward dev up --api-servers 3 --dir /tmp/three",
      "  keyward dev up --encryption-config encryption.yaml",
      "  export KUBECONFIG=$(keyward dev up --kubeadm --nodes 3)",
      "  export KUBECONFIG=$(keyward dev up --managed)",
      "  kubectl patch apiserver.config.openshift.io cluster --type merge \\",
      "      -p '{\"spec\":{\"encryption\":{\"type\":\"aescbc\"}}}'"
    })
final class UpCommand implements Callable<Integer> {
  @Mixin private DevOptions options = new DevOptions();

  @Option(
      names = "--api-servers",
      paramLabel = "N",
      description = "How many kube-apiservers share the etcd, 1 to 5. Default: 1.")
  private int apiServers = 1;

  @Option(
      names = "--encryption-config",
      paramLabel = "FILE",
      description =
          "An EncryptionConfiguration for every API server of a new cluster. Each API server gets a"
              + " copy beside its kubeconfig and follows changes of it.")
  private @Nullable Path encryptionConfig;

  @Option(
      names = "--managed",
      description =
          "Three nodes whose API servers are static pods, and Keyward's operator and node agents."
              + " Needs root.")
  private boolean managed;

  @Option(
      names = "--kubeadm",
      description =
          "A cluster that kubeadm makes: real kubelets, containerd, and control planes as static"
              + " pods. Needs root.")
  private boolean kubeadm;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes kubeadm gets, 1 to 3 (default: 1).")
  private @Nullable Integer nodes;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (kubeadm) {
      return kubeadm();
    }
    if (nodes != null) {
      throw new ParameterException(spec.commandLine(), "--nodes requires --kubeadm");
    }
    if (managed) {
      return managed();
    }
    if (apiServers < 1 || apiServers > ControlPlane.MOST_API_SERVERS) {
      throw new ParameterException(
          spec.commandLine(), "--api-servers takes 1 to 5, not " + apiServers);
    }
    Optional<String> encryption = Optional.ofNullable(encryptionConfig).map(UpCommand::read);
    PrintWriter err = spec.commandLine().getErr();
    DevState state = options.with(err, cluster -> cluster.up(apiServers, encryption));
    if (state.kubeconfigs().size() != apiServers) {
      err.println("keyward: the cluster has " + state.kubeconfigs().size() + " API servers");
    }
    spec.commandLine().getOut().println(state.kubeconfigs().getFirst());
    return ExitCode.FINE;
  }

  private int kubeadm() {
    if (managed || apiServers != 1 || encryptionConfig != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--kubeadm cannot be combined with --managed, --api-servers or --encryption-config");
    }
    int count = nodes == null ? 1 : nodes;
    if (count < 1 || count > KubeadmCluster.MOST_NODES) {
      throw new ParameterException(spec.commandLine(), "--nodes takes 1 to 3, not " + count);
    }
    Root.require("dev up --kubeadm");
    Path home = Home.ofThisProcess();
    DevState state =
        options.with(spec.commandLine().getErr(), cluster -> cluster.upKubeadm(home, count));
    spec.commandLine().getOut().println(state.kubeconfigs().getFirst());
    return ExitCode.FINE;
  }

  private int managed() {
    if (apiServers != 1 || encryptionConfig != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--managed goes without --api-servers and --encryption-config: it has three nodes, and"
              + " the operator makes the configuration");
    }
    Root.require("dev up --managed");
    Path home = Home.ofThisProcess();
    DevState state = options.with(spec.commandLine().getErr(), cluster -> cluster.upManaged(home));
    spec.commandLine().getOut().println(state.kubeconfigs().getFirst());
    return ExitCode.FINE;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new CommandFailure(file + " is not a text file", "give an EncryptionConfiguration", e);
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + file, "check its name, owner and mode", e);
    }
  }
}
