package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.rollout.DeploymentAssessor.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two replicas are requested. Pods are `node/revision`, with `-` before one that is not ready and
/// `x` before one that ended.
final class DeploymentAssessorTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                        | template | failing | newest | pods     | verdict
          all pods run the revision of the template     | 7        | no      | 7      | a/7 b/7  | agreed 7
          no revision yet                               | -        | no      | 0      | a/ b/    | agreed 0
          the next pod runs another revision            | 8        | no      | 7      | a/7 b/7  | Deployment api starts other pods than those that run
          the next pod has no configuration             | -        | no      | 7      | a/7 b/7  | Deployment api starts other pods than those that run
          a pod is missing                              | 7        | no      | 7      | a/7      | Deployment api has 1 of 2 pods
          a pod is missing, its controller gave up      | 7        | yes     | 7      | a/7      | Deployment api has 1 of 2 pods, failing
          two pods on one node                          | 7        | no      | 7      | a/7 a/7  | agreed 7
          a pod is not ready                            | 7        | no      | 7      | a/7 -b/7 | pod pod-b is not ready
          its controller gave up                        | 7        | yes     | 7      | a/7 -b/7 | pod pod-b is not ready, failing
          a failing template whose pods all run         | 7        | yes     | 7      | a/7 b/7  | agreed 7
          the newest revision has reached no pod        | 7        | no      | 8      | a/7 b/7  | Deployment api has started no pod with revision 8 yet
          a quota keeps its pods away                   | 8        | yes     | 8      | a/7 b/7  | Deployment api has started no pod with revision 8 yet; its controller gave up, its status shows why, failing
          no pod                                        | 7        | no      | 7      | -        | no node is known to run the API server
          one of an older revision was evicted          | 7        | no      | 7      | a/7 b/7 xc/6 | agreed 7
          one without the flag was evicted              | 7        | no      | 7      | a/7 b/7 xc/noflag | agreed 7
          one of a newer revision, which was undone     | 7        | no      | 7      | a/7 b/7 xc/8 | agreed 7
          one on a node of its own                      | 7        | no      | 7      | a/7 xb/7 | Deployment api has 1 of 2 pods
          all pods lack the flag                        | 7        | no      | 7      | a/noflag b/noflag | the API server pods run no revision of Keyward: noflag
          """)
  void assesses(
      String name, String template, String failing, long newest, String pods, String verdict) {
    var instances = new ArrayList<Pod>();
    if (!pods.equals("-")) {
      List.of(pods.split(" ", -1)).forEach(text -> instances.add(pod(text)));
    }
    var seen =
        new Pods("api", template.equals("-") ? "" : template, 2, failing.equals("yes"), instances);
    assertThat(show(DeploymentAssessor.assess(seen, newest))).as(name).isEqualTo(verdict);
  }

  private static Pod pod(String text) {
    boolean isOver = text.startsWith("x");
    boolean ready = !isOver && !text.startsWith("-");
    String[] parts = (ready ? text : text.substring(1)).split("/", -1);
    Pod.Phase phase = isOver ? Pod.Phase.FAILED : Pod.Phase.RUNNING;
    return new Pod("pod-" + parts[0], parts[0], phase, ready, parts[1], Instant.EPOCH);
  }

  private static String show(Agreement agreement) {
    return switch (agreement) {
      case Agreement.Agreed(long revision, _) -> "agreed " + revision;
      case Agreement.Rolling(var waitingFor, _, boolean failing) ->
          waitingFor + (failing ? ", failing" : "");
      case Agreement.Stuck(var problem) -> problem;
      case Agreement.Unknown(_, var problem) -> problem;
    };
  }
}
