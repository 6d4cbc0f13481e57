package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Revisions.Manifest;
import io.keyward.core.rollout.RolloutDecision.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Who left is a name, `!` where its agent has said something that stands there, `@` and how long
/// ago it was asked, `+` where it had answered before that.
final class RemovedNodesTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                     | written | nodes        | left                 | decision
          nobody left                                | x       | a:1>1        |                      | nothing
          its agent is asked first                   | x       | a:1>1        | c!                   | ask [c]
          also one that never said anything          | x       | a:1>1        | c                    | ask [c]
          also where nothing was ever written        | -       | a:0>0        | c!                   | ask [c]
          also while others are on their way         | x       | -a:1>1 b:0>1 | c!                   | ask [c]
          it has time for its answer                 | x       | a:1>1        | c@PT0S               | wait asked
          nobody gets a revision meanwhile           | x       | a:1>1 b:0>0  | c@PT89S              | wait asked
          who stays silent is forgotten              | x       | a:1>1        | c@PT90S              | forget [c]
          who answers holds everything               | x       | a:1>1 b:0>0  | c!@PT30S             | wait reports
          and is asked again later                   | x       | a:1>1        | c!@PT90S             | ask [c]
          what it answered before counts meanwhile   | x       | a:1>1        | c@PT10S+             | wait reports
          until it is silent for once                | x       | a:1>1        | c@PT90S+             | forget [c]
          asked at a time to come                    | x       | a:1>1        | c@-PT60S             | ask [c]
          one after the other                        | x       | a:1>1        | c@PT100S d!          | ask [d]
          who is gone goes, the other one holds      | x       | a:1>1        | c@PT100S d!@PT5S     | forget [c]
          an empty list is more likely a mistake     | x       |              | a! b! c@PT100S       | nothing
          """)
  void whoLeftIsAskedBeforeItIsForgotten(
      String name, String written, String nodes, String left, String decision) {
    var seen =
        new Revisions(
            written.equals("-") ? Optional.empty() : Optional.of(written),
            new Manifest.Unused(),
            written.equals("-") ? 0 : 1,
            written.equals("-") ? Optional.empty() : Optional.of(written),
            nodes == null ? List.of() : RolloutDeciderTest.nodes(nodes),
            Optional.empty(),
            left(left),
            new TreeSet<>(),
            Optional.empty());
    assertThat(show(RolloutDecider.decide(seen, RolloutSafety.NONE, NOW)))
        .as(name)
        .isEqualTo(decision);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                          | wanted | left     | decision
          encryption was never on         | id     | c@PT10S  | nothing
          it is asked all the same        | id     | c!       | ask [c]
          and forgotten                   | id     | c@PT90S  | forget [c]
          encryption is requested         | aes    | c@PT10S  | wait asked
          """)
  void nothingWaitsForItWhereEncryptionWasNeverOn(
      String name, String wanted, String left, String decision) {
    ObservedState plain = new Notation().wanted(wanted).rollout("rolling").state();
    var seen =
        new ObservedState(
            NOW,
            plain.component(),
            plain.wanted(),
            plain.stored(),
            plain.rollout(),
            plain.activity(),
            plain.conditions(),
            plain.settings(),
            plain.unreachable(),
            new Revisions(
                Optional.empty(),
                new Manifest.Unused(),
                0,
                Optional.empty(),
                RolloutDeciderTest.nodes("a:0>0"),
                Optional.empty(),
                left(left),
                new TreeSet<>(),
                Optional.empty()));
    assertThat(show(RolloutDecider.decide(seen, new LayoutDecision.Idle())))
        .as(name)
        .isEqualTo(decision);
  }

  @Test
  void saysWhatToDo() {
    assertThat(RemovedNodes.next(left("c!@PT30S"), NOW))
        .contains(
            new Wait(
                "node c is no longer a control-plane node but still reports that it runs an API"
                    + " server; stop its API server and its node agent, or restore its label"
                    + " or its entry in the configuration"));
  }

  private static List<RemovedNode> left(String text) {
    var left = new ArrayList<RemovedNode>();
    for (String one : text == null ? new String[0] : text.split(" ", -1)) {
      String[] parts = one.replace("+", "").split("@", 2);
      left.add(
          new RemovedNode(
              parts[0].replace("!", ""),
              one.contains("!"),
              parts.length > 1
                  ? Optional.of(NOW.minus(Duration.parse(parts[1])))
                  : Optional.empty(),
              one.endsWith("+")));
    }
    return left;
  }

  private static String show(RolloutDecision decision) {
    return decision instanceof Wait(var on)
        ? "wait " + (on.contains("but still reports") ? "reports" : "asked")
        : RolloutDeciderTest.show(decision);
  }
}
