package io.keyward.cli.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.ExitCode;
import io.keyward.cli.output.Document;
import io.keyward.cli.output.FormatOption;
import io.keyward.cli.output.Table;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.node.check.CheckResult;
import io.keyward.node.check.CheckResult.Outcome;
import io.keyward.node.check.NodeCheck;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Checks a node of kubeadm before something fails.
@Command(
    name = "check",
    header = "Check the node agent of this kubeadm node.",
    mixinStandardHelpOptions = true,
    description = {
      "Checks what the node agent depends on: its static pod, its credentials and when they expire,",
      "the API server of this node, its permissions, and the files of its revision. Changes nothing.",
      "Run it as root on a control-plane node. Exit code 1 reports a failed check or a warning."
    },
    footer = {
      "",
      "Examples:",
      "  keyward node-agent check",
      "  keyward node-agent check -o json",
      "",
      "Exit codes: 0 fine, 1 a check failed or warns, 64 wrong usage."
    })
public final class CheckCommand implements Callable<Integer> {
  /// The kubeconfig of the node agent.
  private static final Path KUBELET = Path.of("/etc/kubernetes/kubelet.conf");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private KubeadmOptions node = new KubeadmOptions();

  @Mixin private FormatOption output = new FormatOption();

  @Override
  public Integer call() {
    var access = ClusterAccess.of(Optional.of(node.place().below(KUBELET)));
    List<CheckResult> results = new NodeCheck(node.place(), access, Instant.now()).run();
    output.print(spec.commandLine().getOut(), () -> table(results), () -> document(results));
    return passed(results) ? ExitCode.FINE : ExitCode.FINDINGS;
  }

  private static boolean passed(List<CheckResult> results) {
    return results.stream().allMatch(one -> one.outcome() == Outcome.OK);
  }

  private static String table(List<CheckResult> results) {
    var table = new Table("CHECK", "RESULT", "DETAIL");
    results.forEach(one -> table.row(one.name(), word(one), one.detail()));
    return table.toString();
  }

  private static String word(CheckResult one) {
    return one.outcome().name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode document(List<CheckResult> results) {
    return Document.of(
        "NodeCheck",
        Map.of(
            "passed",
            passed(results),
            "checks",
            results.stream()
                .map(one -> Map.of("name", one.name(), "result", word(one), "detail", one.detail()))
                .toList()));
  }
}
