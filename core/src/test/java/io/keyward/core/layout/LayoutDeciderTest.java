package io.keyward.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.layout.LayoutDecision.AddReadKeys;
import io.keyward.core.layout.LayoutDecision.Commit;
import io.keyward.core.layout.LayoutDecision.DropReadKeys;
import io.keyward.core.layout.LayoutDecision.Idle;
import io.keyward.core.layout.LayoutDecision.InSync;
import io.keyward.core.layout.LayoutDecision.PromoteWriteKey;
import io.keyward.core.layout.LayoutDecision.Rebuild;
import io.keyward.core.layout.LayoutDecision.RefreshPlugins;
import io.keyward.core.layout.LayoutDecision.Republish;
import io.keyward.core.layout.LayoutDecision.Retract;
import io.keyward.core.layout.LayoutDecision.Wait;
import io.keyward.core.model.Activity;
import io.keyward.core.model.AuditProof;
import io.keyward.core.model.Settings;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.kms.HealthReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LayoutDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | wanted | runs            | written       | keys                  | decision
          never on                                       | id     | -               | -             | -                     | idle
          no key yet                                     | aes    | -               | -             | -                     | idle
          a rollout goes first                           | aes    | rolling         | -             | 1:aes                 | wait ROLLOUT
          a rollout that failed goes first               | aes    | stuck           | -             | 1:aes                 | wait ROLLOUT
          nothing beside an existing configuration       | aes    | existing        | -             | 1:aes                 | wait EXISTING_ENCRYPTION
          nothing beside an unknown revision             | aes    | unknown         | w1 r1         | 1:aes                 | wait UNKNOWN_REVISION
          no commitment beside it                        | aes    | unknown         | w2 r2,1       | 2:kmsA- 1:aes+        | wait UNKNOWN_REVISION
          no withdrawal beside it                        | aes    | unknown         | w1 r2,1       | 2:kmsA/ 1:aes+        | wait UNKNOWN_REVISION
          no refresh beside it                           | kmsA2  | unknown         | w1 r1         | 1:kmsA^               | wait UNKNOWN_REVISION
          nothing new to write while instances roll      | aes    | rolling         | w1 r1         | 1:aes                 | wait ROLLOUT
          first key: all learn to read                   | aes    | -               | -             | 1:aes                 | add w- r1
          it is written and waits for its revision       | aes    | -               | w- r1         | 1:aes                 | wait PUBLISHED
          first key: all may write                       | aes    | w- r1           | =             | 1:aes                 | promote w1 r1
          migration goes on                              | aes    | w1 r1           | =             | 1:aes                 | in sync
          all is well                                    | aes    | w1 r1           | =             | 1:aes+                | in sync
          next key: all learn to read                    | aes    | w1 r1           | =             | 2:aes 1:aes+          | add w1 r2,1
          next key: all may write                        | aes    | w1 r2,1         | =             | 2:aes 1:aes+          | promote w2 r2,1
          old keys stay while they may protect data      | aes    | w3 r3,2,1       | =             | 3:aes? 2:aes+ 1:aes+  | in sync
          old keys leave, one stays for backups          | aes    | w3 r3,2,1       | =             | 3:aes+ 2:aes+ 1:aes+  | drop w3 r3,2 without 1
          off: all learn the marker                      | id     | w1 r1           | =             | 2:id 1:aes+           | add w1 r2,1
          off: plaintext is written                      | id     | w1 r2,1         | =             | 2:id 1:aes+           | promote w2 r2,1
          W2 a lost secret loses no provider             | kmsA   | w2 r2,1         | =             | 2:kmsA! 1:aes+        | wait KEY
          W2 a lost older secret loses no provider       | kmsA   | w2 r2,1         | =             | 2:kmsA 1:kmsB!        | in sync
          W2 all secrets are lost                        | kmsA   | w2 r2,1         | =             | 2:kmsA! 1:aes!        | wait KEY
          W2 only the socket of a KMS key is left        | kmsB   | w2 r2           | =             | 3:kmsB 2:kmsA#        | add w2 r3,2
          W2 a new key joins lost ones                   | kmsA   | w2 r2,1         | =             | 3:kmsA 2:kmsB! 1:aes! | add w2 r3,2,1
          the configuration vanished                     | aes    | -               | w1 r1         | 1:aes                 | wait PUBLISHED
          it goes on with the key that wrote             | aes    | -               | w1 r2,1       | 2:aes 1:aes+          | wait PUBLISHED
          W6 the configuration vanished with its source  | aes    | -               | -             | 2:aes 1:aes+          | rebuild w2 r2,1
          a rebuilt one writes only what was on          | aes    | -               | secrets:w1 r1 | 1:aes                 | rebuild configmaps: w- r1; secrets: w1 r1
          an untrue mark is removed before               | aes    | -               | -             | 2:aes+ 1:aes+         | wait MARKS
          also before the key is promoted                | aes    | w1 r2,1         | =             | 2:aes+ 1:aes+         | wait MARKS
          a new resource gets the keys in use            | aes    | secrets:w1 r1   | =             | 1:aes?                | add configmaps: w- r1; secrets: w1 r1
          a new resource may have been encrypted before  | aes    | secrets:w2 r2,1 | =             | 2:aes? 1:aes?         | add configmaps: w- r2,1; secrets: w2 r2,1
          also under a KMS that is still there           | aes    | secrets:w2 r2,1 | =             | 2:aes? 1:kmsA?        | add configmaps: w- r2,1; secrets: w2 r2,1
          but no KMS comes back for it                   | aes    | secrets:w2 r2   | =             | 2:aes? 1:kmsA?        | add configmaps: w- r2; secrets: w2 r2
          the written configuration was deleted          | aes    | w1 r1           | -             | 1:aes+                | republish w1 r1
          marks that were withdrawn show it was on       | aes    | -               | -             | 1:aes%                | rebuild w1 r1
          a written step is finished before the next     | aes    | w- r1           | w1 r1         | 2:aes 1:aes           | wait PUBLISHED
          a written step that loses a key is corrected   | aes    | w2 r2,1         | w2 r2         | 2:aes 1:aes           | republish w2 r2,1
          one that loses a resource too                  | aes    | w1 r1           | secrets:w1 r1 | 1:aes                 | republish w1 r1
          one that brings a resource back too            | aes    | secrets:w1 r1   | w1 r1         | 1:aes?                | add configmaps: w- r1; secrets: w1 r1
          one that some could not read too               | aes    | w1 r1           | w2 r2,1       | 2:aes 1:aes+          | add w1 r2,1
          one that goes back to plaintext: marks first   | aes    | w1 r1           | w- r1         | 1:aes+                | wait MARKS
          one that goes back to plaintext, then          | aes    | w1 r1           | w- r1         | 1:aes                 | republish w1 r1
          plaintext that a newer key replaced            | aes    | w3 r3,2         | w2 r3,2       | 3:aes+ 2:id+ 1:aes    | wait MARKS
          plaintext that a newer key replaced, then      | aes    | w3 r3,2         | w2 r3,2       | 3:aes 2:id+ 1:aes     | republish w3 r3,2
          plaintext that was requested last is finished  | aes    | w1 r2,1         | w2 r2,1       | 2:id 1:aes+           | wait PUBLISHED
          plaintext that nobody wants is not promoted    | aes    | w1 r2,1         | =             | 2:id 1:aes+           | wait NEXT_KEY
          the running configuration is published anyway  | aes    | w1 r2,1         | -             | 2:id 1:aes+           | republish w1 r2,1
          W8 a KMS that was left stays for its retention | id     | w2 r2,1         | =             | 2:id+P6D 1:kmsA+      | in sync
          W8 then it leaves                              | id     | w2 r2,1         | =             | 2:id+P7D 1:kmsA+      | drop w2 r2 without 1
          W8 and does not come back                      | id     | w2 r2           | =             | 2:id+P7D 1:kmsA+      | in sync
          a local key that was left does no harm         | id     | w2 r2,1         | =             | 2:id+P90D 1:aes+      | in sync
          a KMS key is written down before it writes     | kmsA   | w1 r2,1         | =             | 2:kmsA- 1:aes+        | commit 2
          also where it is rebuilt                       | kmsA   | -               | -             | 2:kmsA- 1:aes+        | commit 2
          not before all can read it                     | kmsA   | w1 r1           | =             | 2:kmsA- 1:aes+        | add w1 r2,1
          somebody else let it write                     | aes    | rolling         | w2 r2,1       | 2:kmsA- 1:aes+        | commit 2
          somebody let one write that was withdrawn      | aes    | rolling         | w2 r2,1       | 2:kmsA/ 1:aes+        | commit 2
          what was withdrawn leaves while others roll    | aes    | failing         | w1 r2,1       | 2:kmsA/ 1:aes+        | retract w1 r1 without 2
          it leaves the running configuration            | aes    | w1 r2,1         | =             | 2:kmsA/ 1:aes+        | retract w1 r1 without 2
          it is on its way out                           | aes    | w1 r2,1         | w1 r1         | 2:kmsA/ 1:aes+        | wait PUBLISHED
          it does not come back                          | aes    | w1 r1           | =             | 2:kmsA/ 1:aes+        | in sync
          nor with the next key                          | kmsB   | w1 r1           | =             | 3:kmsB 2:kmsA/ 1:aes+ | add w1 r3,1
          but a mark shows that it wrote                 | aes    | w3 r3,2,1       | =             | 3:aes 2:kmsA/+ 1:aes+ | in sync
          the only one leaves                            | id     | failing         | w- r1         | 1:kmsA/               | retract w- r without 1
          and does not come back                         | id     | w- r            | =             | 1:kmsA/               | idle
          what it left behind was deleted                | id     | w- r            | -             | 1:kmsA/               | republish w- r
          W5 a change in place reaches the plugins       | kmsA2  | w1 r1           | =             | 1:kmsA^+              | refresh w1 r1
          W5 also while instances roll                   | kmsA2  | rolling         | w1 r1         | 1:kmsA^               | refresh w1 r1
          W5 also in a step that does not run yet        | kmsA2  | w- r1           | w1 r1         | 1:kmsA^               | refresh w1 r1
          """)
  void decides(
      String name, String wanted, String runs, String written, String keys, String decision) {
    var seen = new Notation().wanted(wanted).keys(keys).rollout(runs).published(written).state();
    assertThat(show(LayoutDecider.decide(seen))).as(name).isEqualTo(decision);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | written | newest  | keys                 | decision
          what is rolled out is written                  | w2 r2,1 | w2 r2,1 | 2:aes 1:aes+         | wait ROLLOUT
          a step that no revision has yet                | w1 r2,1 | w1 r1   | 2:aes 1:aes+         | republish w1 r1
          its secret was lost, and it is nowhere else    | w1 r2,1 | w1 r1   | 2:aes! 1:aes+        | wait KEY
          a withdrawn key has left already               | w1 r1   | w1 r2,1 | 2:kmsA/ 1:aes+       | wait ROLLOUT
          an old copy was put back                       | w1 r1   | w2 r2,1 | 2:aes 1:aes+         | republish w2 r2,1
          plaintext was put back                         | w- r1   | w1 r1   | 1:aes                | republish w1 r1
          it was deleted                                 | -       | w2 r2,1 | 2:aes 1:aes+         | republish w2 r2,1
          an old copy, and a key was withdrawn           | w- r1   | w1 r2,1 | 2:kmsA/ 1:aes+       | retract w1 r1 without 2
          """)
  void whileInstancesRollTheNewestRevisionCounts(
      String name, String written, String newest, String keys, String decision) {
    var seen =
        new Notation()
            .wanted("aes")
            .keys(keys)
            .rollout("rolling")
            .published(written)
            .newest(newest)
            .state();
    assertThat(show(LayoutDecider.decide(seen))).as(name).isEqualTo(decision);
  }

  @Test
  void w2CarriesALostKmsKeyOverWithItsPluginConfiguration() {
    var seen =
        new Notation()
            .wanted("kmsB")
            .keys("3:kmsB 2:kmsA!")
            .rollout("w2 r2")
            .published("=")
            .state();
    var next = LayoutDecider.decide(seen).next().orElseThrow();
    assertThat(next.stack(Notation.SECRETS).find(new KeySerial(2)).orElseThrow().kms())
        .contains(Notation.kms("kmsA").keyFor(new KeySerial(2)));
  }

  @Test
  void w6RebuildsAVanishedConfigurationWithAWriteKey() {
    var seen =
        new Notation().wanted("aes").keys("2:aes 1:aes+").rollout("-").published("-").state();
    assertThat(LayoutDecider.decide(seen).next().orElseThrow().stack(Notation.SECRETS).write())
        .isPresent();
  }

  @Test
  void w8TheAdminCanShortenTheRetention() {
    var days = Settings.DEFAULT;
    var none =
        new Settings(
            days.rotateLocalAfter(),
            Duration.ZERO,
            10,
            days.preflightHolds(),
            days.reportInterval(),
            days.kekSettles(),
            false);
    var seen =
        new Notation()
            .wanted("aes")
            .keys("2:aes+PT1M 1:kmsA+")
            .rollout("w2 r2,1")
            .published("=")
            .settings(none)
            .state();
    assertThat(show(LayoutDecider.decide(seen))).isEqualTo("drop w2 r2 without 1");
  }

  @Test
  void aKeyWhosePluginDoesNotWorkIsNotPromoted() {
    assertThat(promotion(report(1, HealthReport.Status.ERROR))).isEqualTo("wait KMS");
    assertThat(promotion(report(1, HealthReport.Status.HEALTHY))).isEqualTo("promote w1 r1");
    assertThat(promotion(report(2, HealthReport.Status.ERROR))).isEqualTo("promote w1 r1");
  }

  private static String promotion(HealthReport report) {
    return show(
        LayoutDecider.decide(
            new Notation()
                .wanted("kmsA")
                .keys("1:kmsA")
                .rollout("w- r1")
                .published("=")
                .reports(List.of(report))
                .state()));
  }

  private static HealthReport report(long serial, HealthReport.Status status) {
    return new HealthReport(
        "a",
        new KeySerial(serial),
        status,
        Notation.NOW,
        Optional.empty(),
        Optional.of(Notation.NOW.minusSeconds(60)),
        Optional.empty(),
        "");
  }

  @Test
  void aKeyThatAnAuditFoundInUseStays() {
    var found = new AuditProof(Notation.NOW, Set.of(new KeySerial(1)));
    var seen =
        new Notation()
            .wanted("aes")
            .keys("3:aes+ 2:aes+ 1:aes+")
            .rollout("w3 r3,2,1")
            .published("=")
            .activity(
                new Activity(
                    Activity.NONE.migrations(),
                    Activity.NONE.preflight(),
                    List.of(),
                    Optional.of(found)))
            .state();
    assertThat(show(LayoutDecider.decide(seen))).isEqualTo("in sync");
  }

  private static String serials(Set<KeySerial> serials) {
    return serials.isEmpty()
        ? "-"
        : serials.stream().map(KeySerial::toString).collect(Collectors.joining(","));
  }

  static String show(LayoutDecision decision) {
    return switch (decision) {
      case Idle _ -> "idle";
      case InSync _ -> "in sync";
      case Wait(var blocker, _) -> "wait " + blocker;
      case AddReadKeys(var layout) -> "add " + Notation.show(layout);
      case PromoteWriteKey(var layout, _) -> "promote " + Notation.show(layout);
      case DropReadKeys(var layout, var gone) ->
          "drop " + Notation.show(layout) + " without " + serials(gone);
      case Retract(var layout, var gone) ->
          "retract " + Notation.show(layout) + " without " + serials(gone);
      case Commit(var key) -> {
        assertThat(key.stage()).isEqualTo(KeyStage.WRITE);
        yield "commit " + key.serial();
      }
      case RefreshPlugins(var layout) -> "refresh " + Notation.show(layout);
      case Rebuild(var layout) -> "rebuild " + Notation.show(layout);
      case Republish(var layout) -> "republish " + Notation.show(layout);
    };
  }
}
