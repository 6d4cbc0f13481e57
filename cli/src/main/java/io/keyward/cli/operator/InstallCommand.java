package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.operator.Installation;
import io.keyward.operator.OperatorConfig;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Makes the custom resources and namespaces that a cluster lacks.
@Command(
    name = "install",
    header = "Create the resources and the RBAC rules of the operator.",
    mixinStandardHelpOptions = true,
    description = {
      "Creates the custom resources, namespaces and objects that the operator needs and the cluster",
      "lacks, and the service accounts keyward-operator and keyward-node-agent with the RBAC rules",
      "they use. Existing objects are not changed, except for RBAC rules. Run it as cluster admin."
    },
    footer = {
      "",
      "Examples:",
      "  keyward operator install --kubeconfig admin.kubeconfig",
      "  kubectl create token keyward-operator -n kube-system    # for its kubeconfig",
      "",
      "Exit codes: 0 fine, 2 could not do it, 64 wrong usage."
    })
public final class InstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Override
  public Integer call() {
    OperatorConfig config = cluster.config();
    List<String> made =
        ClusterCall.explained(
            "check the kubeconfig and its permissions",
            () -> Installation.run(config, cluster.kubeconfig()));
    PrintWriter out = spec.commandLine().getOut();
    made.forEach(one -> out.println("made " + one));
    if (made.isEmpty()) {
      out.println("everything is there");
    }
    out.flush();
    return ExitCode.FINE;
  }
}
