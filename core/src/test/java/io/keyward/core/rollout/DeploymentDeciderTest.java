package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Revisions.Deployment;
import io.keyward.core.model.rollout.Revisions.Manifest;
import io.keyward.core.model.rollout.Revisions.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The template's revision, then its pods as `name:revision`, with `-` before one that is not
/// ready. Two replicas are wanted. Nodes are as in [RolloutDeciderTest].
final class DeploymentDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                               | newest | nodes | template | pods          | decision
          the first revision                   | 1x     |       | 0        | p:0 q:0       | deploy 1
          it is not there yet                  | 1x     |       | 1        | p:0 q:0       | wait p
          a new pod starts                     | 1x     |       | 1        | p:0 q:0 -r:1  | wait r
          one is left of the old ones          | 1x     |       | 1        | q:0 r:1       | wait q
          one ends                             | 1x     |       | 1        | -q:0 r:1 s:1  | wait q
          too few                              | 1x     |       | 1        | r:1           | wait 1 of 2
          none                                 | 1x     |       | 1        |               | wait 0 of 2
          all there                            | 1x     |       | 1        | r:1 s:1       | nothing
          the next one                         | 2x     |       | 1        | r:1 s:1       | deploy 2
          no next one while it is on its way   | 2x     |       | 1        | q:0 r:1       | wait q
          a correction for what does not start | 2x     |       | 1        | q:0 -r:1      | deploy 2
          a correction for all                 | 2x     |       | 1        | -r:1 -s:1     | deploy 2
          never onward from an unhealthy one   | 2x     |       | 2        | r:1 -s:2      | wait s
          somebody undid it                    | 2x     |       | 1        | r:2 s:2       | deploy 2
          something else was written           | 1y     |       | 1        | r:1 s:1       | snapshot 2
          nodes come first                     | 1x     | a:0>0 | 0        | p:0 q:0       | a to 1
          and block what follows               | 1x     | a:0>1 | 0        | p:0 q:0       | wait a
          then the Deployment                  | 1x     | a:1>1 | 0        | p:0 q:0       | deploy 1
          both are there                       | 1x     | a:1>1 | 1        | p:1 q:1       | nothing
          the status came from a backup        | 1x     |       | 3        | p:3 q:3       | snapshot 4
          a template is ahead                  | 1x     |       | 3        | p:1 q:1       | snapshot 4
          """)
  void sendsADeploymentToRevisions(
      String name, String newest, String nodes, long template, String pods, String decision) {
    long latest = Long.parseLong(newest.substring(0, 1));
    var seen =
        new Revisions(
            Optional.of("x"),
            new Manifest.Unused(),
            latest,
            Optional.of(newest.substring(1)),
            nodes == null ? List.of() : RolloutDeciderTest.nodes(nodes),
            Optional.of(
                new Deployment(
                    "d",
                    template == latest ? List.of() : List.of(new ManifestNeed.Label()),
                    2,
                    pods(pods, template))),
            List.of(),
            new TreeSet<>(),
            Optional.empty());
    String shown =
        RolloutDeciderTest.show(RolloutDecider.decide(seen, RolloutSafety.NONE, Instant.EPOCH));
    assertThat(shown.replaceAll("wait (pod )?(. of .|.).*", "wait $2"))
        .as(name)
        .isEqualTo(decision);
  }

  @Test
  void whatIsInTheWayOfASocketIsNamed() {
    var seen =
        new Deployment(
            "d",
            List.of(new ManifestNeed.Label(), new ManifestNeed.Obstacle("/k", "/o of the node")),
            1,
            pods("-p:1", 1));
    assertThat(RolloutDeciderTest.show(DeploymentDecider.decide(seen, 2)))
        .startsWith("refuse Deployment d: the API server must see the node's /k, ");
  }

  private static List<Node> pods(String text, long template) {
    var pods = new ArrayList<Node>();
    for (String one : text == null ? new String[0] : text.split(" ", -1)) {
      String bare = one.replace("-", "");
      long revision = Long.parseLong(bare.substring(2));
      pods.add(new Node(bare.substring(0, 1), revision, template, 0, !one.startsWith("-")));
    }
    return pods;
  }
}
