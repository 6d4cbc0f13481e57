package io.keyward.core.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState.Report;
import io.keyward.core.preflight.NodeAnswers.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Nodes are `a` and `b`. A good answer is `ok` and a `key_id`, a bad one is its words.
final class NodeAnswersTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                         | a                                                  | b                                                                       | result
          all well                       | ok A                                               | ok A                                                                    | passed under A
          no socket on one               | ok A                                               | /run/k.sock does not exist; start the plugin on this node          | failed: on node b: /run/k.sock does not exist; start the plugin on this node
          no socket                      | /run/k.sock is not a socket; correct the endpoint  | ok A                                                                    | failed: on node a: /run/k.sock is not a socket; correct the endpoint
          open to everybody              | ok A                                               | every user of this node can access /run/k.sock; restrict its permissions to root | failed: on node b: every user of this node can access /run/k.sock; restrict its permissions to root
          the plugin does not answer     | ok A                                               | no plugin responds at the socket; start the plugin on this node             | failed: on node b: no plugin responds at the socket; start the plugin on this node
          each that failed is named      | sealed                                             | no plugin responds                                                      | failed: on node a: sealed; on node b: no plugin responds
          one failure is enough          | -                                                  | sealed                                                                  | failed: on node b: sealed
          a failure without a word       | ok A                                               | bad                                                                     | failed: on node b: the node agent reported a failure without a reason; see its log
          two keys                       | ok A                                               | ok B                                                                    | failed: the plugins of the nodes report different key_ids: A on a; B on b; let all of them use the same key, in the same version
          no key_id                      | ok                                                 | ok                                                                      | failed: on node a: the plugin reports no key_id; correct or replace the plugin; on node b: the plugin reports no key_id; correct or replace the plugin
          no key_id on one               | ok A                                               | ok                                                                      | failed: on node b: the plugin reports no key_id; correct or replace the plugin
          one did not answer             | ok A                                               | -                                                                       | waits: no answer from the node agent on b since 2026-01-02T03:04:05Z; check that it runs
          nobody answered                | -                                                  | -                                                                       | waits: no answer from the node agent on a, b since 2026-01-02T03:04:05Z; check that it runs
          """)
  void judges(String name, String a, String b, String result) {
    var answers = new TreeMap<String, Answer>();
    answer(a).ifPresent(answer -> answers.put("a", answer));
    answer(b).ifPresent(answer -> answers.put("b", answer));
    // A node that left.
    answers.put("c", new Answer(false, Optional.empty(), "gone"));
    assertThat(show(new NodeAnswers(new TreeSet<>(List.of("a", "b")), answers)))
        .as(name)
        .isEqualTo(result);
  }

  @Test
  void withoutNodesNothingPassesAndThatIsSaid() {
    assertThat(show(new NodeAnswers(new TreeSet<>(), new TreeMap<>())))
        .startsWith("waits: there is no node to test it on; give the nodes");
  }

  private static Optional<Answer> answer(String text) {
    return switch (text) {
      case "-" -> Optional.empty();
      case "bad" -> Optional.of(new Answer(false, Optional.empty(), ""));
      case "ok" -> Optional.of(new Answer(true, Optional.empty(), ""));
      default ->
          Optional.of(
              text.startsWith("ok ")
                  ? new Answer(true, Optional.of(new KekId(text.substring(3))), "")
                  : new Answer(false, Optional.empty(), text));
    };
  }

  private static String show(NodeAnswers answers) {
    Optional<Report> report = answers.report();
    if (report.isEmpty()) {
      Instant since = Instant.parse("2026-01-02T03:04:05Z");
      return "waits: " + answers.waitsFor(Optional.of(since)).orElse("for nobody");
    }
    return report.orElseThrow().succeeded()
        ? "passed under " + report.orElseThrow().kek().orElseThrow()
        : "failed: " + report.orElseThrow().detail();
  }
}
