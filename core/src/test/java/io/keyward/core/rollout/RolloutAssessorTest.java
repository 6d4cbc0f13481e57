package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.rollout.Rollout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pods are `node/revision`, with a phase where it is not running, `-` before it is not ready.
final class RolloutAssessorTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | nodes | pods                                        | verdict
          no node is known                               | -     | a/7                                         | rolling
          no pod                                         | a b   | -                                           | rolling
          all alike                                      | a b   | a/7 b/7                                     | agreed 7
          no label is revision 0                         | a b   | a/ b/                                       | agreed 0
          no label is not the label 0                    | a b   | a/ b/0                                      | rolling
          two revisions                                  | a b   | a/7 b/8                                     | rolling
          a node without a pod                           | a b   | a/7                                         | rolling
          a node whose only pod ended                    | a b   | a/7 b/7/failed                              | rolling
          one is not ready                               | a b   | a/7 -b/7                                    | rolling at 7
          one is not ready, and they differ              | a b   | a/7 -b/8                                    | rolling
          one is pending                                 | a b   | a/7 b/7/pending                             | rolling at 7
          W18 an unknown phase keeps it rolling          | a b   | a/7 b/7/unknown                             | rolling at 7
          a dead node leaves an old failed pod           | a b   | a/7 b/7 c/6/failed                          | agreed 7
          W18 a newer revision failed                    | a b   | a/7 b/7 c/8/failed                          | stuck
          a pod of this revision failed and was replaced | a b   | a/7 b/7 c/7/failed                          | agreed 7
          a failed pod without a label means nothing     | a b   | a/7 b/7 c//failed                           | agreed 7
          a label that is no number                      | a b   | a/x b/x                                     | stuck
          a label of zeros and nines                     | a b   | a/90 b/90                                   | agreed 90
          the greatest number                            | a b   | a/123456789012345678 b/123456789012345678   | agreed 123456789012345678
          a number that is too great                     | a b   | a/1234567890123456789 b/1234567890123456789 | stuck
          """)
  void assesses(String name, String nodes, String pods, String verdict) {
    var expected = new TreeSet<String>();
    if (!nodes.equals("-")) {
      expected.addAll(List.of(nodes.split(" ", -1)));
    }
    var list = new ArrayList<Pod>();
    if (!pods.equals("-")) {
      List.of(pods.split(" ", -1)).forEach(text -> list.add(pod(text)));
    }
    assertThat(show(RolloutAssessor.assess(expected, list))).as(name).isEqualTo(verdict);
  }

  @Test
  void w18AnUnknownPhaseIsWaitedForAndANewerFailureIsNamed() {
    var nodes = new TreeSet<>(List.of("a", "b"));
    assertThat(RolloutAssessor.assess(nodes, List.of(pod("a/7"), pod("b/7/unknown"))))
        .isInstanceOf(Agreement.Rolling.class);
    assertThat(RolloutAssessor.assess(nodes, List.of(pod("a/7"), pod("b/7"), pod("c/8/failed"))))
        .isEqualTo(
            new Agreement.Stuck(
                "pod pod-c of a newer revision failed; it must be fixed or replaced"));
  }

  @Test
  void aRevisionThatReachedNoNodeYetIsWaitedFor() {
    var nodes = new TreeSet<>(List.of("a", "b"));
    var pods = List.of(pod("a/7"), pod("b/7"));
    assertThat(show(RolloutAssessor.assess(nodes, pods, 7))).isEqualTo("agreed 7");
    assertThat(RolloutAssessor.assess(nodes, pods, 8))
        .isEqualTo(
            new Agreement.Rolling(
                "revision 8 has reached no node yet", OptionalLong.empty(), false));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                     | pods     | newest | hindrance  | waits for
          nothing hinders                            | a/7 b/7  | 8      | -          | revision 8 has reached no node yet
          a node cannot run the newest               | a/7 b/7  | 8      | b cannot 8 | node b cannot run revision 8: why
          nor after another has arrived              | a/8 b/7  | 8      | b cannot 8 | node b cannot run revision 8: why
          its API server is down with it             | a/7 -b/7 | 8      | b cannot 8 | node b cannot run revision 8: why
          what failed is corrected by a newer one    | a/7 b/7  | 9      | b cannot 8 | revision 9 has reached no node yet
          who is not expected hinders nobody         | a/7 b/7  | 8      | c cannot 8 | revision 8 has reached no node yet
          what is old hinders nobody who has arrived | a/8 b/8  | 8      | b cannot 8 | agreed 8
          a node does not answer                     | a/8 b/7  | 8      | b silent   | node b does not respond (NotReady)
          what has arrived everywhere has arrived    | a/8 b/8  | 8      | b silent   | agreed 8
          a removed node may still write             | a/8 b/8  | 8      | c left     | node c is no longer a control-plane node; the operator checks whether its agent still reports
          a removed node that reports still writes   | a/8 b/8  | 8      | c reports  | node c is no longer a control-plane node but still reports that it runs an API server
          also while others are on their way         | a/8 b/7  | 8      | c reports  | node c is no longer a control-plane node but still reports that it runs an API server
          a node has an existing configuration       | a/0 b/0  | 0      | b existing | unknown: node b has an encryption configuration that Keyward did not create: aescbc for secrets in /enc.yaml
          it counts before a node that left          | a/0 b/0  | 0      | c left & b existing | unknown: node b has an encryption configuration that Keyward did not create: aescbc for secrets in /enc.yaml
          a node runs an unknown revision            | a/8 b/9  | 8      | b unknown 9 | unknown: node b runs revision 9, which the cluster does not know
          all nodes run it                           | a/9 b/9  | 8      | b unknown 9 | unknown: node b runs revision 9, which the cluster does not know
          a node has another content                 | a/8 b/8  | 8      | b differs 8 | unknown: node b has a configuration that differs from revision 8 of the cluster
          also while its API server is down          | a/8 -b/8 | 8      | b differs 8 | unknown: node b has a configuration that differs from revision 8 of the cluster
          """)
  void saysWhatHinders(String name, String pods, long newest, String hindrance, String words) {
    var list = new ArrayList<Pod>();
    List.of(pods.split(" ", -1)).forEach(text -> list.add(pod(text)));
    var seen =
        RolloutAssessor.assess(
            new TreeSet<>(List.of("a", "b")), list, newest, hindrances(hindrance));
    String shown =
        switch (seen) {
          case Agreement.Rolling(var waitingFor, _, _) -> waitingFor;
          case Agreement.Unknown(_, var problem) -> "unknown: " + problem;
          case Agreement.Agreed _, Agreement.Stuck _ -> show(seen);
        };
    assertThat(
            shown.replaceAll(
                "; (fix it|start it|stop its API|the node is forgotten|Keyward does not|it may"
                    + " hold).*",
                ""))
        .as(name)
        .isEqualTo(words);
  }

  @Test
  void whereNoNodeIsKnownNoneHasLeft() {
    assertThat(
            RolloutAssessor.assess(
                new TreeSet<>(), List.of(pod("a/8")), 8, hindrances("a reports")))
        .isEqualTo(
            new Agreement.Rolling(
                "no node is known to run the API server", OptionalLong.empty(), false));
  }

  /// What all the others run is not what all run.
  @Test
  void nothingIsReliedOnWhileOneMayWriteThatLeft() {
    var nodes = new TreeSet<>(List.of("a", "b"));
    var pods = List.of(pod("a/8"), pod("-b/8"));
    assertThat(show(RolloutAssessor.assess(nodes, pods, 8, hindrances("c left"))))
        .isEqualTo("rolling");
  }

  @Test
  void whatAllRunStandsWhileOneIsHindered() {
    var nodes = new TreeSet<>(List.of("a", "b"));
    var pods = List.of(pod("a/8"), pod("-b/8"));
    assertThat(show(RolloutAssessor.assess(nodes, pods, 8, hindrances("b cannot 8"))))
        .isEqualTo("rolling at 8");
  }

  @ParameterizedTest
  @CsvSource({
    "b cannot 8,true",
    "b cannot 7,false",
    "b silent,false",
    "-,false",
    "a silent & b cannot 8,true",
    "c reports & b cannot 8,true",
    "c reports & c cannot 8,false"
  })
  void onlyWhatCannotRunTheNewestFails(String hindrance, boolean failing) {
    var nodes = new TreeSet<>(List.of("a", "b"));
    var pods = List.of(pod("a/8"), pod("b/7"));
    assertThat(RolloutAssessor.assess(nodes, pods, 8, hindrances(hindrance)))
        .isInstanceOfSatisfying(
            Agreement.Rolling.class, rolling -> assertThat(rolling.failing()).isEqualTo(failing));
  }

  @Test
  void oneOfSeveralThatFailsIsEnough() {
    var slow = new Rollout.Rolling("slow");
    var fails = new Rollout.Rolling("fails", Optional.empty(), true);
    assertThat(RolloutAssessor.union(List.of(slow, fails)))
        .isEqualTo(new Rollout.Rolling("slow", Optional.empty(), true));
    assertThat(RolloutAssessor.union(List.of(slow, slow))).isEqualTo(slow);
  }

  private static List<RolloutBlocker> hindrances(String text) {
    return Arrays.stream(text.split(" & ", -1))
        .filter(one -> !one.equals("-"))
        .map(one -> hindrance(one.split(" ", -1)))
        .toList();
  }

  private static RolloutBlocker hindrance(String[] words) {
    return switch (words[1]) {
      case "silent" -> new RolloutBlocker.Silent(words[0], "NotReady");
      case "existing" ->
          new RolloutBlocker.Existing("node", words[0], "aescbc for secrets in /enc.yaml");
      case "unknown" ->
          new RolloutBlocker.UnknownRevision("node", words[0], Long.parseLong(words[2]), false);
      case "differs" ->
          new RolloutBlocker.UnknownRevision("node", words[0], Long.parseLong(words[2]), true);
      case "cannot" -> new RolloutBlocker.Failed(words[0], Long.parseLong(words[2]), "why");
      default -> new RolloutBlocker.Left(words[0], words[1].equals("reports"));
    };
  }

  @Test
  void w10NoConfigurationEqualsNoConfiguration() {
    var none = new Rollout.Converged(1, Optional.empty(), "w", Notation.NODES);
    assertThat(RolloutAssessor.union(List.of(none, none))).isInstanceOf(Rollout.Converged.class);
    assertThat(RolloutAssessor.union(List.of())).isInstanceOf(Rollout.Rolling.class);
  }

  @Test
  void w10DifferentConfigurationsDoNotConverge() {
    var none = new Rollout.Converged(1, Optional.empty(), "w", Notation.NODES);
    var some =
        new Rollout.Converged(1, Optional.of(new Notation().layout("w1 r1")), "w", Notation.NODES);
    assertThat(RolloutAssessor.union(List.of(none, some))).isInstanceOf(Rollout.Rolling.class);
    var elsewhere = new Rollout.Converged(2, some.layout(), "v", new TreeSet<>(List.of("b", "c")));
    assertThat(RolloutAssessor.union(List.of(some, elsewhere)))
        .isEqualTo(
            new Rollout.Converged(1, some.layout(), "w;v", new TreeSet<>(List.of("a", "b", "c"))));
    var stuck = new Rollout.Stuck("x");
    assertThat(RolloutAssessor.union(List.of(some, stuck))).isEqualTo(stuck);
    var unknown = new Rollout.Unknown(Blocker.UNKNOWN_REVISION, "x");
    assertThat(RolloutAssessor.union(List.of(new Rollout.Rolling("y"), stuck, unknown)))
        .isEqualTo(unknown);
  }

  @Test
  void aRestartShowsInTheWitness() {
    var nodes = new TreeSet<>(List.of("a"));
    var before = RolloutAssessor.assess(nodes, List.of(pod("a/7")));
    var after =
        RolloutAssessor.assess(
            nodes, List.of(new Pod("pod-a", "a", Pod.Phase.RUNNING, true, "7", Instant.MAX)));
    assertThat(after).isNotEqualTo(before);
  }

  private static Pod pod(String text) {
    boolean ready = !text.startsWith("-");
    String[] words = text.substring(ready ? 0 : 1).split("/", -1);
    Pod.Phase phase =
        words.length > 2 ? Pod.Phase.valueOf(words[2].toUpperCase(Locale.ROOT)) : Pod.Phase.RUNNING;
    return new Pod("pod-" + words[0], words[0], phase, ready, words[1], Instant.EPOCH);
  }

  private static String show(Agreement agreement) {
    return switch (agreement) {
      case Agreement.Agreed(var revision, _) -> "agreed " + revision;
      case Agreement.Rolling(_, var revision, _) ->
          revision.isPresent() ? "rolling at " + revision.getAsLong() : "rolling";
      case Agreement.Stuck _ -> "stuck";
      case Agreement.Unknown _ -> "unknown";
    };
  }
}
