package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Revisions.Manifest;
import io.keyward.core.rollout.RolloutDecision.Advance;
import io.keyward.core.rollout.RolloutDecision.Ask;
import io.keyward.core.rollout.RolloutDecision.Complete;
import io.keyward.core.rollout.RolloutDecision.Deploy;
import io.keyward.core.rollout.RolloutDecision.Forget;
import io.keyward.core.rollout.RolloutDecision.Nothing;
import io.keyward.core.rollout.RolloutDecision.Refuse;
import io.keyward.core.rollout.RolloutDecision.Snapshot;
import io.keyward.core.rollout.RolloutDecision.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A node is `name:current>target`, with `!` after it where it failed there and `-` before it where
/// its API server is not ready. What was written and what the newest revision holds are letters.
final class RolloutDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                   | written | newest | nodes          | decision
          nothing was ever written                 | -       | 0      | a:0>0 b:0>0    | nothing
          the first revision                       | x       | 0      | a:0>0 b:0>0    | snapshot 1
          one node first                           | x       | 1x     | a:0>0 b:0>0    | a to 1
          and only one                             | x       | 1x     | a:0>1 b:0>0    | wait a
          then the next                            | x       | 1x     | a:1>1 b:0>0    | b to 1
          never onward from an unhealthy one       | x       | 1x     | -a:1>1 b:0>0   | wait a
          never onward from one that failed        | x       | 1x     | a:0>1! b:0>0   | wait a
          all there                                | x       | 1x     | a:1>1 b:1>1    | nothing
          another configuration                    | y       | 1x     | a:1>1 b:1>1    | snapshot 2
          a correction overtakes what failed       | y       | 1x     | a:0>1! b:0>0   | snapshot 2
          and goes to the one that failed first    | y       | 2y     | a:0>1! b:0>0   | a to 2
          a node that was replaced begins at 0     | x       | 3x     | a:3>3 b:0>0    | b to 3
          who is on the way is sent on, no other   | y       | 2y     | a:1>1 b:0>1    | b to 2
          and waited for                           | y       | 2y     | a:1>1 b:0>2    | wait b
          who failed is corrected before others    | y       | 3y     | a:2>2 b:1>2!   | b to 3
          who is down may be down for its revision | y       | 2y     | a:1>1 -b:1>1   | b to 2
          the last one that is not ready           | x       | 1x     | a:1>1 -b:1>1   | wait b
          the status was recreated                 | x       | 0      | a:8>0 b:8>0    | snapshot 9
          the status came from a backup            | x       | 5x     | a:8>8 b:8>8    | snapshot 9
          one node alone is ahead                  | x       | 5x     | a:5>5 b:6>0    | snapshot 7
          one was sent further                     | x       | 5x     | a:5>6 b:5>5    | snapshot 7
          one failed further                       | x       | 5x     | a:5>6! b:5>5   | snapshot 7
          one who is ahead is not ready            | x       | 5x     | -a:8>8 b:5>5   | snapshot 9
          then they go on                          | x       | 9x     | a:8>8 b:8>8    | a to 9
          the configuration was deleted on the way | -       | 2x     | a:2>2 b:1>1    | b to 2
          and blocks the others                    | -       | 2x     | a:2>2 b:1>2    | wait b
          it was deleted, all have arrived         | -       | 2x     | a:2>2 b:2>2    | nothing
          it was deleted, the status was lost      | -       | 0      | a:2>2 b:2>2    | nothing
          """)
  void sendsNodesToRevisions(
      String name, String written, String newest, String nodes, String decision) {
    Revisions seen = revisions(written, new Manifest.Unused(), newest, nodes);
    assertThat(show(decide(seen))).as(name).isEqualTo(decision);
  }

  @Test
  void whatANodeSaysOfItsFailureIsPassedOn() {
    var failed =
        new Revisions.Node("b", 4, 5, 5, true, "the command exited\nwith code 3", Optional.empty());
    var seen =
        new Revisions(
            Optional.of("x"), new Manifest.Unused(), 5, Optional.of("x"), List.of(failed));
    assertThat(decide(seen))
        .isEqualTo(new Wait("node b cannot run revision 5: the command exited with code 3"));
  }

  /// `~` stands after a node whose machine does not answer. What its agent said last was: ready.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                          | newest | nodes           | decision
          never onward from one that does not answer      | 2      | a:2>2~ b:1>1    | node a does not respond (NotReady)
          nor while it is on its way                      | 2      | a:1>2~ b:1>1    | node a does not respond (NotReady)
          nor when it had failed before                   | 2      | a:1>2~! b:1>1   | node a does not respond (NotReady)
          it may be silent for the revision that it runs  | 2      | a:1>1 b:1>1~    | b to 2
          who does not answer has not left                | 2      | a:2>2 b:2>2~    | node b does not respond (NotReady)
          """)
  void whoDoesNotAnswerIsNotReady(String name, long newest, String nodes, String decision) {
    var list = new ArrayList<Revisions.Node>();
    for (String one : nodes.split(" ", -1)) {
      Revisions.Node said = nodes(one.replace("~", "")).getFirst();
      list.add(
          one.contains("~")
              ? new Revisions.Node(
                  said.name(),
                  said.current(),
                  said.target(),
                  said.failed(),
                  false,
                  "",
                  Optional.of("NotReady"))
              : said);
    }
    var seen =
        new Revisions(Optional.of("x"), new Manifest.Unused(), newest, Optional.of("x"), list);
    RolloutDecision decided = decide(seen);
    assertThat(decided instanceof Wait(var on) ? on : show(decided)).as(name).isEqualTo(decision);
  }

  @Test
  void takesNoRevisionOfPartsThatDoNotBelongTogether() {
    assertThat(show(withManifest(new Manifest.Unusable("no image")))).contains("no image");
    assertThat(show(withManifest(new Manifest.Absent("ConfigMap x"))))
        .isEqualTo("refuse ConfigMap x is missing: it defines how the API server is started");
    assertThat(show(withManifest(new Manifest.Present(List.of(new ManifestNeed.Flag())))))
        .isEqualTo("complete [Flag[]]");
    var obstacle = new ManifestNeed.Obstacle("/k", "/o of the node");
    assertThat(show(withManifest(new Manifest.Present(List.of(new ManifestNeed.Flag(), obstacle)))))
        .startsWith("refuse the API server must see the node's /k, ")
        .contains("/o of the node is mounted there: take that mount away");
    assertThat(show(withManifest(new Manifest.Present(List.of())))).isEqualTo("snapshot 2");
  }

  private static RolloutDecision withManifest(Manifest manifest) {
    return decide(new Revisions(Optional.of("y"), manifest, 1, Optional.of("x"), nodes("a:1>1")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                | newest | nodes | taken | decision
          none                                  | 5x     | a:5>5 |       | snapshot 6
          somebody was faster, or crashed       | 5x     | a:5>5 | 6     | snapshot 7
          a gap is not filled                   | 5x     | a:5>5 | 9     | snapshot 10
          a node is further                     | 5x     | a:8>8 | 6     | snapshot 9
          the status and the nodes were lost    | 0      | a:0>0 | 1 2 3 | snapshot 4
          """)
  void noNumberIsUsedTwice(
      String name, String newest, String nodes, String taken, String decision) {
    var numbers = new TreeSet<Long>();
    for (String one : taken == null ? new String[0] : taken.split(" ", -1)) {
      numbers.add(Long.valueOf(one));
    }
    var seen =
        new Revisions(
            Optional.of("y"),
            new Manifest.Unused(),
            Long.parseLong(newest.substring(0, 1)),
            newest.length() > 1 ? Optional.of(newest.substring(1)) : Optional.empty(),
            nodes(nodes),
            Optional.empty(),
            List.of(),
            numbers,
            Optional.empty());
    assertThat(show(decide(seen))).as(name).isEqualTo(decision);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                             | newest | nodes        | decision
          all are there                      | 2x     | a:2>2 b:2>2  | wait incompatible
          what is on its way arrives         | 2x     | a:2>2 b:1>1  | b to 2
          and blocks the others              | 2x     | a:2>2 b:1>2  | wait b
          who is not ready keeps what it has | 2x     | a:2>2 -b:2>2 | wait b
          the status came from a backup      | 2x     | a:3>3 b:3>3  | wait incompatible
          the status was recreated           | 0      | a:3>0 b:3>0  | wait incompatible
          nothing runs yet                   | 0      | a:0>0 b:0>0  | wait incompatible
          """)
  void whatDoesNotGoWithWhatRunsBecomesNoRevision(
      String name, String newest, String nodes, String decision) {
    Revisions seen = revisions("y", needsFlag(), newest, nodes);
    var safety =
        new RolloutSafety(
            Optional.empty(),
            RolloutSafetyTest.layout("w1 r1"),
            Optional.empty(),
            Optional.empty(),
            RolloutSafetyTest.layout("w2 r2,1"));
    assertThat(
            show(RolloutDecider.decide(seen, safety, Instant.EPOCH))
                .replaceAll("wait the published configuration is (incompatible) .*", "wait $1"))
        .as(name)
        .isEqualTo(decision);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                   | newest | nodes        | decision
          the first revision                       | 0      | a:0>0 b:0>0  | wait a
          another content was written              | 2x     | a:2>2 b:2>2  | wait a
          the newest revision reaches no more node | 2y     | a:2>2 b:1>1  | wait a
          a node has a later revision              | 2y     | a:3>2 b:2>2  | wait a
          all nodes have a later revision          | 2y     | a:3>3 b:3>3  | wait a
          """)
  void nothingIsPublishedOverAConfigurationThatTheClusterDoesNotKnow(
      String name, String newest, String nodes, String decision) {
    Revisions seen = revisions("y", needsFlag(), newest, nodes);
    var safety =
        new RolloutSafety(
            Optional.of("node a runs a revision"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(show(RolloutDecider.decide(seen, safety, Instant.EPOCH)))
        .as(name)
        .isEqualTo(decision);
  }

  private static Revisions revisions(
      String written, Manifest manifest, String newest, String nodes) {
    return new Revisions(
        written.equals("-") ? Optional.empty() : Optional.of(written),
        manifest,
        Long.parseLong(newest.substring(0, 1)),
        newest.length() > 1 ? Optional.of(newest.substring(1)) : Optional.empty(),
        nodes(nodes));
  }

  private static Manifest needsFlag() {
    return new Manifest.Present(List.of(new ManifestNeed.Flag()));
  }

  private static RolloutDecision decide(Revisions seen) {
    return RolloutDecider.decide(seen, RolloutSafety.NONE, Instant.EPOCH);
  }

  static List<Revisions.Node> nodes(String text) {
    var nodes = new ArrayList<Revisions.Node>();
    for (String one : text.split(" ", -1)) {
      boolean ready = !one.startsWith("-");
      String bare = one.replace("-", "").replace("!", "");
      long current = Long.parseLong(bare.substring(2, 3));
      long target = Long.parseLong(bare.substring(4, 5));
      nodes.add(
          new Revisions.Node(
              bare.substring(0, 1), current, target, one.endsWith("!") ? target : 0, ready));
    }
    return nodes;
  }

  static String show(RolloutDecision decision) {
    return switch (decision) {
      case Nothing _ -> "nothing";
      case Snapshot(long revision) -> "snapshot " + revision;
      case Advance(var node, long revision) -> node + " to " + revision;
      case Deploy(_, long revision) -> "deploy " + revision;
      case Wait(var on) -> "wait " + on.replaceAll(".*node ([a-z]) .*", "$1");
      case Ask(var nodes) -> "ask " + nodes.stream().map(RemovedNode::node).toList();
      case Forget(var nodes) -> "forget " + nodes;
      case Complete(var needs) -> "complete " + needs;
      case Refuse(var problem) -> "refuse " + problem;
    };
  }
}
