package io.keyward.core.rollout.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.rollout.Revisions;
import java.util.ArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JoinDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                 | latest | current>target of nodes | decision
          encryption was never on                | 0      | 0>0                     | nothing
          no revision and no node                | 0      | -                       | nothing
          all nodes run the newest revision      | 4      | 4>4 4>4                 | write 4
          a node got it before it had a target   | 4      | 4>4 4>0                 | write 4
          no node reports                        | 4      | -                       | write 4
          one node has not got it yet            | 4      | 4>4 3>3                 | node1 is at revision 3
          one node is on its way                 | 4      | 3>4 4>4                 | node0 is at revision 3
          a node is new, or was removed          | 4      | 4>4 0>0                 | node1 reports no revision
          a node is told a newer one             | 4      | 4>5                     | the newest revision is 5
          """)
  void writesWhatAllNodesRun(String name, long latest, String nodes, String decision) {
    var all = new ArrayList<Revisions.Node>();
    for (String node : nodes.equals("-") ? new String[0] : nodes.split(" ", -1)) {
      String[] numbers = node.split(">", -1);
      all.add(
          new Revisions.Node(
              "node" + all.size(),
              Long.parseLong(numbers[0]),
              Long.parseLong(numbers[1]),
              0,
              true));
    }
    switch (JoinDecider.decide(latest, all)) {
      case JoinDecision.NothingToWrite() -> assertThat(decision).as(name).isEqualTo("nothing");
      case JoinDecision.Write(long revision) ->
          assertThat("write " + revision).as(name).isEqualTo(decision);
      case JoinDecision.Wait(String words) ->
          assertThat(words).as(name).contains(decision, "wait until");
    }
  }
}
