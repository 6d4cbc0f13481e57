package io.keyward.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.layout.LayoutDecision.AddReadKeys;
import io.keyward.core.layout.LayoutDecision.DropReadKeys;
import io.keyward.core.layout.LayoutDecision.Idle;
import io.keyward.core.layout.LayoutDecision.InSync;
import io.keyward.core.layout.LayoutDecision.PromoteWriteKey;
import io.keyward.core.layout.LayoutDecision.Rebuild;
import io.keyward.core.layout.LayoutDecision.RefreshPlugins;
import io.keyward.core.layout.LayoutDecision.Republish;
import io.keyward.core.layout.LayoutDecision.Wait;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State.Failed;
import io.keyward.core.model.MigrationStatus.State.Running;
import io.keyward.core.model.MigrationStatus.State.Succeeded;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Rollout;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LayoutDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                         | wanted | runs          | written       | keys                  | decision
          never on                                       | id     | -             | -             | -                     | idle
          no key yet                                     | aes    | -             | -             | -                     | idle
          a rollout goes first                           | aes    | rolling       | -             | 1:aes                 | wait ROLLOUT
          a rollout that failed goes first               | aes    | stuck         | -             | 1:aes                 | wait ROLLOUT
          first key: all learn to read                   | aes    | -             | -             | 1:aes                 | add w- r1
          it is written and waits for its revision       | aes    | -             | w- r1         | 1:aes                 | wait PUBLISHED
          first key: all may write                       | aes    | w- r1         | =             | 1:aes                 | promote w1 r1
          migration goes on                              | aes    | w1 r1         | =             | 1:aes                 | in sync
          all is well                                    | aes    | w1 r1         | =             | 1:aes+                | in sync
          next key: all learn to read                    | aes    | w1 r1         | =             | 2:aes 1:aes+          | add w1 r2,1
          next key: all may write                        | aes    | w1 r2,1       | =             | 2:aes 1:aes+          | promote w2 r2,1
          old keys stay while they may protect data      | aes    | w3 r3,2,1     | =             | 3:aes? 2:aes+ 1:aes+  | in sync
          old keys leave, one stays for backups          | aes    | w3 r3,2,1     | =             | 3:aes+ 2:aes+ 1:aes+  | drop w3 r3,2
          off: all learn the marker                      | id     | w1 r1         | =             | 2:id 1:aes+           | add w1 r2,1
          off: plaintext is written                      | id     | w1 r2,1       | =             | 2:id 1:aes+           | promote w2 r2,1
          W2 a lost secret loses no provider             | kmsA   | w2 r2,1       | =             | 2:kmsA! 1:aes+        | wait KEY
          W2 a lost older secret loses no provider       | kmsA   | w2 r2,1       | =             | 2:kmsA 1:kmsB!        | in sync
          W2 all secrets are lost                        | kmsA   | w2 r2,1       | =             | 2:kmsA! 1:aes!        | wait KEY
          W2 only the socket of a KMS key is left        | kmsB   | w2 r2         | =             | 3:kmsB 2:kmsA#        | add w2 r3,2
          W2 a new key joins lost ones                   | kmsA   | w2 r2,1       | =             | 3:kmsA 2:kmsB! 1:aes! | add w2 r3,2,1
          the configuration vanished                     | aes    | -             | w1 r1         | 1:aes                 | wait PUBLISHED
          W6 the configuration vanished with its source  | aes    | -             | -             | 2:aes 1:aes+          | rebuild w2 r2,1
          a rebuilt one writes only what was on          | aes    | -             | secrets:w1 r1 | 1:aes                 | rebuild configmaps: w- r1; secrets: w1 r1
          an untrue mark is removed before               | aes    | -             | -             | 2:aes+ 1:aes+         | wait MARKS
          a new resource gets the keys in use            | aes    | secrets:w1 r1 | =             | 1:aes?                | add configmaps: w- r1; secrets: w1 r1
          the written configuration was deleted          | aes    | w1 r1         | -             | 1:aes+                | republish w1 r1
          marks that were taken back show it was on      | aes    | -             | -             | 1:aes%                | rebuild w1 r1
          a written step is finished before the next     | aes    | w- r1         | w1 r1         | 2:aes 1:aes           | wait PUBLISHED
          a written step that loses a key is corrected   | aes    | w2 r2,1       | w2 r2         | 2:aes 1:aes           | republish w2 r2,1
          plaintext that nobody wants is not promoted    | aes    | w1 r2,1       | =             | 2:id 1:aes+           | wait NEXT_KEY
          nor does it keep what runs from being written  | aes    | w1 r2,1       | -             | 2:id 1:aes+           | republish w1 r2,1
          W8 a KMS that was left stays for its retention | id     | w2 r2,1       | =             | 2:id+P6D 1:kmsA+      | in sync
          W8 then it leaves                              | id     | w2 r2,1       | =             | 2:id+P7D 1:kmsA+      | drop w2 r2
          W8 and does not come back                      | id     | w2 r2         | =             | 2:id+P7D 1:kmsA+      | in sync
          a local key that was left does no harm         | id     | w2 r2,1       | =             | 2:id+P90D 1:aes+      | in sync
          """)
  void decides(
      String name, String wanted, String runs, String written, String keys, String decision) {
    var seen = new Notation().wanted(wanted).keys(keys).rollout(runs).published(written).state();
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

  /// `configmaps` is taken off the list, or comes back.
  @ParameterizedTest(name = "W7: {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                               | listed             | runs                              | keys         | migration of configmaps | decision
          it is written in plaintext           | secrets            | w1 r1                             | 1:aes?       | -                       | promote configmaps: w- r1; secrets: w1 r1
          its keys stay while it is encrypted  | secrets            | configmaps: w- r1; secrets: w1 r1 | 1:aes?       | -                       | in sync
          also while it is being decrypted     | secrets            | configmaps: w- r1; secrets: w1 r1 | 1:aes?       | plaintext running       | in sync
          also when that failed                | secrets            | configmaps: w- r1; secrets: w1 r1 | 1:aes?       | plaintext failed        | in sync
          instances restarted meanwhile        | secrets            | configmaps: w- r1; secrets: w1 r1 | 1:aes?       | plaintext elsewhere     | in sync
          another migration proves nothing     | secrets            | configmaps: w- r1; secrets: w1 r1 | 1:aes?       | key done                | in sync
          it is decrypted and leaves           | secrets            | configmaps: w- r1; secrets: w1 r1 | 1:aes?       | plaintext done          | drop secrets: w1 r1
          a next key goes on meanwhile         | secrets            | configmaps: w- r1; secrets: w1 r1 | 2:aes 1:aes? | -                       | add configmaps: w- r1; secrets: w1 r2,1
          it comes back                        | configmaps,secrets | configmaps: w- r1; secrets: w1 r1 | 1:aes?       | plaintext done          | promote w1 r1
          all configurations are gone          | secrets            | -                                 | 2:aes 1:aes+ | -                       | rebuild configmaps: w- r2,1; secrets: w2 r2,1
          """)
  void aResourceLeaves(
      String name, String listed, String runs, String keys, String migration, String decision) {
    var notation = new Notation().wanted("aes", "", listed).keys(keys).rollout(runs).published("=");
    if (!migration.equals("-")) {
      notation.migrations(List.of(migration(migration)));
    }
    assertThat(show(LayoutDecider.decide(notation.state()))).as(name).isEqualTo(decision);
  }

  private static MigrationStatus migration(String text) {
    return new MigrationStatus(
        Notation.CONFIGMAPS,
        text.startsWith("key")
            ? MigrationTarget.under(new KeySerial(1), Optional.empty())
            : MigrationTarget.plaintext(),
        text.endsWith("elsewhere") ? "others" : Notation.WITNESS,
        1,
        text.endsWith("running")
            ? new Running()
            : text.endsWith("failed")
                ? new Failed(Notation.NOW, "x")
                : new Succeeded(Notation.NOW));
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
    assertThat(show(LayoutDecider.decide(seen))).isEqualTo("drop w2 r2");
  }

  @Test
  void w19ProviderNamesDoNotCollideAcrossGroups() {
    var seen =
        new Notation()
            .wanted("kmsA", "", "routes.a.example,routes.b.example")
            .keys("1:kmsA")
            .rollout("-")
            .state();
    var next = LayoutDecider.decide(seen).next().orElseThrow();
    assertThat(next.stacks().values().stream().map(s -> s.reads().getFirst().providerName()))
        .containsExactly("1_routes", "1_routes.b.example");
  }

  @Test
  void w19ANameThatIsDeployedIsKept() {
    var notation = new Notation().wanted("kmsA", "", "secrets").keys("1:kmsA");
    var stacks = new TreeMap<Resource, KeyStack>();
    var slot = notation.layout("secrets:w1 r1").stack(Notation.SECRETS).reads().getFirst();
    stacks.put(
        Notation.SECRETS,
        new KeyStack(
            Optional.empty(), List.of(new KeyStack.Slot(slot.key(), "1_named_by_others"))));
    var base = new EncryptionLayout(stacks);
    var seen = notation.state();
    var state =
        new ObservedState(
            seen.at(),
            seen.component(),
            seen.wanted(),
            new Stored(seen.stored().secrets(), List.of(), Optional.of(base)),
            new Rollout.Converged(7, Optional.of(base), Notation.WITNESS, Notation.NODES),
            seen.activity(),
            List.of(),
            seen.settings());
    var next = LayoutDecider.decide(state).next().orElseThrow();
    assertThat(next.stack(Notation.SECRETS).reads().getFirst().providerName())
        .isEqualTo("1_named_by_others");
  }

  @Test
  void aKeyWhosePluginDoesNotWorkIsNotPromoted() {
    var bad =
        new HealthReport(
            "a",
            new KeySerial(1),
            HealthReport.Status.ERROR,
            Notation.NOW,
            Optional.empty(),
            Optional.of(Notation.NOW.minusSeconds(60)),
            Optional.empty(),
            "");
    var seen =
        new Notation()
            .wanted("kmsA")
            .keys("1:kmsA")
            .rollout("w- r1")
            .published("=")
            .reports(List.of(bad))
            .state();
    assertThat(show(LayoutDecider.decide(seen))).isEqualTo("wait KMS");
  }

  @Test
  void newCredentialsReachPluginsAlsoWhileInstancesRoll() {
    var notation = new Notation().wanted("kmsA2").keys("1:kmsA").rollout("rolling");
    var old = notation.layout("w1 r1");
    var seen = new Notation().wanted("kmsA2").keys("1:kmsA2").rollout("rolling").state();
    var state =
        new ObservedState(
            seen.at(),
            seen.component(),
            seen.wanted(),
            new Stored(seen.stored().secrets(), List.of(), Optional.of(old)),
            seen.rollout(),
            seen.activity(),
            List.of(),
            seen.settings());
    assertThat(show(LayoutDecider.decide(state))).isEqualTo("refresh w1 r1");
  }

  private static String show(LayoutDecision decision) {
    return switch (decision) {
      case Idle _ -> "idle";
      case InSync _ -> "in sync";
      case Wait(var blocker, _) -> "wait " + blocker;
      case AddReadKeys(var layout) -> "add " + Notation.show(layout);
      case PromoteWriteKey(var layout, _) -> "promote " + Notation.show(layout);
      case DropReadKeys(var layout, _) -> "drop " + Notation.show(layout);
      case RefreshPlugins(var layout) -> "refresh " + Notation.show(layout);
      case Rebuild(var layout) -> "rebuild " + Notation.show(layout);
      case Republish(var layout) -> "republish " + Notation.show(layout);
    };
  }
}
