package io.keyward.core.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.Activity;
import io.keyward.core.model.AuditProof;
import io.keyward.core.model.Settings;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.prune.PruneDecision.Delete;
import io.keyward.core.prune.PruneDecision.Nothing;
import io.keyward.core.prune.PruneDecision.Wait;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two unused keys are kept here, so that the rows stay short; the default is ten. An audit is its
/// age and the keys it found in use.
final class PruneDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                       | runs    | written | keys                             | audit  | decision
          a rollout goes first                         | rolling | w5 r5   | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | -      | wait PUBLISHED
          an unknown revision goes first               | unknown | w5 r5   | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | -      | wait UNKNOWN_REVISION
          nothing runs: the secrets are all there is   | -       | -       | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | -      | wait PUBLISHED
          what is written does not run yet             | w5 r5   | w5 r5,4 | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | -      | wait PUBLISHED
          some unused keys are kept                    | w5 r5,4 | =       | 5:aes+ 4:aes+ 3:aes 2:aes        | -      | nothing
          the oldest go                                | w5 r5,4 | =       | 5:aes+ 4:aes+ 3:aes 2:aes 1:aes  | -      | delete 1
          in whatever order they are found             | w5 r5,4 | =       | 1:aes 2:aes 3:aes 4:aes+ 5:aes+  | -      | delete 1
          damaged ones count as well                   | w5 r5,4 | =       | 5:aes+ 4:aes+ 3:aes 2:aes 1:aes~ | -      | delete key-1
          a key in use is never old enough             | w5 r5,1 | =       | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | -      | nothing
          what may protect data is in use              | w5 r5   | =       | 5:aes 4:aes 3:aes 2:aes 1:aes    | -      | nothing
          an audit before the migration proves nothing | w5 r5   | =       | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | P2D    | wait AUDIT
          an audit after it proves it                  | w5 r5   | =       | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | PT1H   | delete 1,2
          an audit found a key in use                  | w5 r5   | =       | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | PT1H 2 | delete 1
          an old audit is no reason to keep a key      | w5 r5   | =       | 5:aes+ 4:aes 3:aes 2:aes 1:aes   | P2D 1  | wait AUDIT
          a resource without its mark gets it later    | w5 r5,4 | =       | 5:aes? 4:aes+ 3:aes 2:aes 1:aes  | PT1H   | wait AUDIT
          """)
  void decides(
      String name, String runs, String written, String keys, String audit, String decision) {
    var days = Settings.DEFAULT;
    var seen =
        new Notation()
            .wanted("aes")
            .keys(keys)
            .rollout(runs)
            .published(written)
            .settings(
                new Settings(
                    days.rotateLocalAfter(),
                    days.retireKmsAfter(),
                    2,
                    days.preflightHolds(),
                    days.reportInterval(),
                    days.kekSettles(),
                    false))
            .activity(
                new Activity(
                    Activity.NONE.migrations(),
                    Activity.NONE.preflight(),
                    Activity.NONE.reports(),
                    audit(audit)))
            .state();
    assertThat(show(PruneDecider.decide(seen))).as(name).isEqualTo(decision);
  }

  @Test
  void nothingIsWaitedForWhereEncryptionWasNeverOn() {
    var seen = new Notation().wanted("id").rollout("rolling").state();
    assertThat(PruneDecider.decide(seen)).isEqualTo(new Nothing());
  }

  private static Optional<AuditProof> audit(String text) {
    if (text.equals("-")) {
      return Optional.empty();
    }
    String[] words = text.split(" ", -1);
    var used = new HashSet<KeySerial>();
    for (int i = 1; i < words.length; i++) {
      used.add(new KeySerial(Long.parseLong(words[i])));
    }
    return Optional.of(new AuditProof(Notation.NOW.minus(Duration.parse(words[0])), used));
  }

  private static String show(PruneDecision decision) {
    return switch (decision) {
      case Nothing _ -> "nothing";
      case Wait(var blocker, _) -> "wait " + blocker;
      case Delete(var serials, var damaged) ->
          "delete "
              + serials.stream().map(KeySerial::toString).collect(Collectors.joining(","))
              + String.join(",", damaged);
    };
  }
}
