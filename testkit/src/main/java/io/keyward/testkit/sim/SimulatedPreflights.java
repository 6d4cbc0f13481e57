package io.keyward.testkit.sim;

import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.kms.PreflightState.Phase;
import io.keyward.core.model.kms.PreflightState.Report;
import io.keyward.core.model.kms.PreflightState.Run;
import io.keyward.core.preflight.NodeAnswers;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// What preflights do in the simulated world: a pod tries a plugin that Keyward starts, and the
/// agent of every node tries the plugin that its user runs there.
final class SimulatedPreflights {
  private final World world;

  SimulatedPreflights(World world) {
    this.world = world;
  }

  /// The one of this server does its work.
  ///
  /// @param speaks false where it ends without a word, or where one node does not answer
  void work(Server server, boolean speaks) {
    Run run = server.preflight.run().orElse(null);
    if (run == null || server.tried == null || run.report().isPresent()) {
      return;
    }
    KmsKey key = server.tried;
    boolean works = server.instances.stream().allMatch(instance -> world.kms.works(key, instance));
    if (works) {
      server.invariants.onPassed(key);
    }
    if (Kms.isExternal(key)) {
      answers(server, key, speaks)
          .ifPresent(report -> conclude(server, run, report.succeeded(), Optional.of(report)));
    } else {
      Optional<Report> report =
          speaks || works
              ? Optional.of(
                  new Report(
                      works,
                      works ? Optional.of(kek(key)) : Optional.empty(),
                      works ? "" : "the KMS did not answer"))
              : Optional.empty();
      conclude(server, run, works, report);
    }
  }

  private KekId kek(KmsKey key) {
    return world.kms.kek(Kms.remoteKeyOf(key));
  }

  /// Absent as long as a node has not answered.
  private Optional<Report> answers(Server server, KmsKey key, boolean speaks) {
    var nodes = new TreeSet<String>();
    var answers = new TreeMap<String, NodeAnswers.Answer>();
    for (Instance instance : server.instances) {
      boolean works = world.kms.works(key, instance);
      nodes.add(instance.node);
      answers.put(
          instance.node,
          works
              ? new NodeAnswers.Answer(true, Optional.of(kek(key)), "")
              : new NodeAnswers.Answer(false, Optional.empty(), "the plugin does not respond"));
    }
    if (!world.brain.heeds(Precondition.ALL_NODES_ANSWER.name())) {
      nodes.removeIf(node -> !node.equals(answers.firstKey()));
    }
    if (!speaks) {
      answers.pollFirstEntry();
    }
    return new NodeAnswers(nodes, answers).report();
  }

  private static void conclude(Server server, Run run, boolean works, Optional<Report> report) {
    PreflightState state = server.preflight;
    server.preflight =
        new PreflightState(
            state.observed(),
            state.result(),
            Optional.of(
                new Run(
                    run.config(),
                    works ? Phase.SUCCEEDED : Phase.FAILED,
                    run.startedAt(),
                    report,
                    Optional.empty())),
            state.others());
  }
}
