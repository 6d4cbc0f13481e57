package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.core.event.PlanWords;
import io.keyward.core.model.Condition;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import io.keyward.engine.SiteSnapshot;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Takes the look that the operator takes, plans as it does, and only says what it would do.
@Command(
    name = "explain",
    header = "Show what the operator does next and what blocks it.",
    mixinStandardHelpOptions = true,
    description = {
      "For each API server: the next steps, what blocks them, since when, and what ends the wait.",
      "Writes nothing; reads key secrets."
    },
    footer = {
      "",
      "Examples:",
      "  keyward explain --kubeconfig admin.kubeconfig",
      "",
      "Exit codes: 0 fine, 2 could not do it, 64 wrong usage."
    })
public final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Override
  public Integer call() {
    OperatorConfig wanted = cluster.config();
    PrintWriter out = spec.commandLine().getOut();
    boolean failed = false;
    try (var api = cluster.connect()) {
      for (Component one : wanted.apiServers()) {
        try {
          explain(out, one.name(), ClusterOptions.reading(api, wanted, one).observe());
        } catch (ClusterFailure e) {
          spec.commandLine()
              .getErr()
              .println(ClusterOptions.failed(one.name() + ": ", e).explanation());
          failed = true;
        }
      }
      out.flush();
    }
    return failed ? ExitCode.FAILED : ExitCode.FINE;
  }

  private static void explain(PrintWriter out, String name, SiteSnapshot snapshot) {
    TurnPlan plan = Turn.plan(snapshot.state());
    out.println(name);
    out.println("  runs: " + snapshot.state().deployed().map(Object::toString).orElse("-"));
    List<String> next = PlanWords.next(plan);
    out.println("  next: " + (next.isEmpty() ? "nothing, until something changes" : ""));
    next.forEach(line -> out.println("    - " + line));
    PlanWords.spoken(plan.conditions()).forEach(line -> out.println("  " + line));
    PlanWords.spoken(saidByTheOperator(snapshot.state().conditions(), plan.conditions()))
        .forEach(line -> out.println("  " + line));
  }

  /// What only the operator itself can know, for example that it lacks a right that the admin has,
  /// or that somebody else's object was in its way.
  private static List<Condition> saidByTheOperator(List<Condition> stand, List<Condition> planned) {
    Set<String> said =
        planned.stream()
            .filter(StatusText::isDegraded)
            .map(Condition::type)
            .collect(Collectors.toSet());
    return stand.stream()
        .filter(StatusText::isDegraded)
        .filter(one -> !said.contains(one.type()))
        .toList();
  }
}
