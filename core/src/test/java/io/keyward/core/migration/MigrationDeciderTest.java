package io.keyward.core.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.migration.MigrationDecision.Abort;
import io.keyward.core.migration.MigrationDecision.Idle;
import io.keyward.core.migration.MigrationDecision.Mark;
import io.keyward.core.migration.MigrationDecision.Reencrypt;
import io.keyward.core.migration.MigrationDecision.RetryLater;
import io.keyward.core.migration.MigrationDecision.Start;
import io.keyward.core.migration.MigrationDecision.Step;
import io.keyward.core.migration.MigrationDecision.Unmark;
import io.keyward.core.migration.MigrationDecision.Wait;
import io.keyward.core.migration.MigrationDecision.Watch;
import io.keyward.core.migration.MigrationDecision.Work;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Reencryption;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.KekObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MigrationDeciderTest {
  private static final Instant SINCE = Notation.NOW.minus(Duration.ofHours(1));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                           | runs    | keys          | stable | KEK seen | recorded | migration of secrets | decision for secrets
          a rollout goes first                             | rolling | 1:kmsA        | no     | -        | -        | -                    | wait ROLLOUT
          a rollout that failed goes first                 | stuck   | 1:kmsA        | no     | -        | -        | -                    | wait ROLLOUT
          an unknown revision goes first                   | unknown | 1:kmsA        | no     | -        | -        | -                    | wait UNKNOWN_REVISION
          nothing runs                                     | -       | 1:kmsA        | yes    | -        | -        | -                    | nothing
          the configuration changes: interrupt             | w1 r1   | 1:kmsA        | no     | -        | -        | 1 running            | abort
          the configuration changes: wait                  | w1 r1   | 1:kmsA        | no     | -        | -        | -                    | wait LAYOUT
          the configuration changes: what ended stays      | w1 r1   | 1:kmsA        | no     | -        | -        | 1 done               | wait LAYOUT
          nobody writes with a key yet                     | w- r1   | 1:kmsA        | yes    | -        | -        | -                    | nothing
          begin                                            | w1 r1   | 1:kmsA        | yes    | -        | -        | -                    | start 1 #1
          begin under a KEK that is sure                   | w1 r1   | 1:kmsA        | yes    | sure A   | -        | -                    | start 1@A #1
          W17 it runs, also if the operator is new         | w1 r1   | 1:kmsA        | yes    | -        | -        | 1 running            | watch
          it is done                                       | w1 r1   | 1:kmsA        | yes    | -        | -        | 1 done               | mark 1
          it is done under a KEK                           | w1 r1   | 1:kmsA        | yes    | sure A   | -        | 1@A done             | mark 1@A
          begun before the KEK was sure                    | w1 r1   | 1:kmsA        | yes    | sure A   | -        | 1 done               | mark 1
          W17 it was for another key: stop, do not replace | w2 r2,1 | 2:kmsA 1:aes+ | yes    | -        | -        | 1 done               | abort
          instances restarted meanwhile                    | w1 r1   | 1:kmsA        | yes    | -        | -        | 1 done elsewhere     | abort
          W17 it failed a moment ago                       | w1 r1   | 1:kmsA        | yes    | -        | -        | 1 failed PT59S       | retry later
          W17 it failed long enough ago                    | w1 r1   | 1:kmsA        | yes    | -        | -        | 1 failed PT60S       | start 1 #2
          W17 it failed for the third time                 | w1 r1   | 1:kmsA        | yes    | -        | -        | 1 failed PT239S 3    | retry later
          W17 each time later                              | w1 r1   | 1:kmsA        | yes    | -        | -        | 1 failed PT240S 3    | start 1 #4
          W17 half an hour at most                         | w1 r1   | 1:kmsA        | yes    | -        | -        | 1 failed PT30M 99    | start 1 #100
          marked is done                                   | w1 r1   | 1:kmsA+       | yes    | -        | -        | -                    | nothing
          marked under this KEK is done                    | w1 r1   | 1:kmsA+       | yes    | sure A   | A        | 1@A done             | nothing
          the KEK is not recorded: once more               | w1 r1   | 1:kmsA+       | yes    | sure A   | -        | -                    | start 1@A #1
          W4 rotation: record and old success go           | w1 r1   | 1:kmsA+       | yes    | sure B   | A        | 1@A done             | unmark KEK_ONLY, abort
          W4 rotation: the record goes                     | w1 r1   | 1:kmsA+       | yes    | sure B   | A        | -                    | unmark KEK_ONLY
          W4 rotation: then migrate again, same key        | w1 r1   | 1:kmsA+       | yes    | sure B   | -        | -                    | start 1@B #1
          W4 rotation during a migration                   | w1 r1   | 1:kmsA+       | yes    | sure B   | -        | 1@A running          | abort
          W4 two rotations in a row                        | w1 r1   | 1:kmsA+       | yes    | sure C   | -        | 1@B running          | abort
          a KEK that flickers makes the record untrue      | w1 r1   | 1:kmsA+       | yes    | maybe B  | A        | -                    | unmark KEK_ONLY
          a success while the KEK flickered is void        | w1 r1   | 1:kmsA+       | yes    | maybe B  | -        | 1@A done             | abort
          nothing is begun for a KEK that may change       | w1 r1   | 1:kmsA+       | yes    | maybe B  | -        | -                    | nothing
          a KEK came and went between two looks            | w1 r1   | 1:kmsA+       | yes    | again A  | A        | 1@A done             | unmark KEK_ONLY, abort
          it came and went while the migration ran         | w1 r1   | 1:kmsA+       | yes    | again A  | -        | 1@A done             | abort
          nobody can tell whether the KEK stayed           | w1 r1   | 1:kmsA        | yes    | -        | -        | 1@A done             | mark 1
          instances restarted, and nobody can tell         | w1 r1   | 1:kmsA        | yes    | -        | -        | 1@A done elsewhere   | abort
          a retry goes for what is wanted now              | w1 r1   | 1:kmsA        | yes    | sure A   | -        | 1 failed PT60S       | start 1@A #2
          a mark that cannot be true                       | w1 r2,1 | 2:aes+ 1:aes+ | no     | -        | -        | -                    | unmark RESOURCE
          """)
  void decides(
      String name,
      String runs,
      String keys,
      String stable,
      String kek,
      String recorded,
      String migration,
      String decision) {
    var notation = new Notation().wanted("kmsA").keys(keys).rollout(runs).published("=");
    if (!migration.equals("-")) {
      notation.migrations(List.of(status(Notation.SECRETS, migration)));
    }
    ObservedState seen = recorded(notation.state(), recorded);
    var decided = MigrationDecider.decide(seen, stable.equals("yes"), sight(kek));
    assertThat(show(decided, Notation.SECRETS)).as(name).isEqualTo(decision);
  }

  /// `configmaps` was taken off the list.
  @ParameterizedTest(name = "W17: {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                | migration of configmaps   | decision for configmaps
          a decryption is a migration too       | -                         | start identity #1
          it runs                               | identity running          | watch
          it is done, and the resource leaves   | identity done             | nothing
          it was for a key                      | 1 done                    | abort
          instances restarted meanwhile         | identity done elsewhere   | abort
          it failed a moment ago                | identity failed PT59S     | retry later
          it failed long enough ago             | identity failed PT60S     | start identity #2
          """)
  void decrypts(String name, String migration, String decision) {
    var notation =
        new Notation()
            .wanted("aes", "", "secrets")
            .keys("1:aes?")
            .rollout("configmaps: w- r1; secrets: w1 r1")
            .published("=");
    if (!migration.equals("-")) {
      notation.migrations(List.of(status(Notation.CONFIGMAPS, migration)));
    }
    var decided = MigrationDecider.decide(notation.state(), true, KekObservation.NONE);
    assertThat(show(decided, Notation.CONFIGMAPS)).as(name).isEqualTo(decision);
  }

  @Test
  void nothingIsSaidWhereEncryptionWasNeverOn() {
    for (String rollout : List.of("rolling", "stuck", "-")) {
      var seen = new Notation().wanted("id").rollout(rollout).state();
      assertThat(MigrationDecider.decide(seen, true, KekObservation.NONE)).isEqualTo(new Idle());
    }
  }

  @Test
  void w4AMarkRemembersSinceWhenAllWereUnderItsKek() {
    assertThat(marked("1@A done").since()).contains(SINCE);
    assertThat(marked("1 done").since()).isEmpty();
  }

  private static Mark marked(String migration) {
    var seen =
        new Notation()
            .wanted("kmsA", "", "secrets")
            .keys("1:kmsA")
            .rollout("secrets: w1 r1")
            .published("=")
            .migrations(List.of(status(Notation.SECRETS, migration)))
            .state();
    return (Mark) ((Work) MigrationDecider.decide(seen, true, sight("sure A"))).steps().getFirst();
  }

  /// `sure` since a while ago, `maybe`, or `again`: another one was there meanwhile.
  private static KekObservation sight(String text) {
    if (text.equals("-")) {
      return KekObservation.NONE;
    }
    String[] words = text.split(" ", -1);
    var kek = new KekId(words[1]);
    return switch (words[0]) {
      case "sure" ->
          new KekObservation(Optional.of(kek), Optional.of(SINCE), Set.of(kek), List.of());
      case "maybe" ->
          new KekObservation(Optional.empty(), Optional.empty(), Set.of(kek), List.of());
      default -> {
        Instant back = SINCE.plusSeconds(60);
        var report =
            new HealthReport(
                "a",
                new KeySerial(1),
                HealthReport.Status.HEALTHY,
                Notation.NOW,
                Optional.of(kek),
                Optional.empty(),
                Optional.of(back),
                Optional.of(new KekId("other")),
                "");
        yield new KekObservation(Optional.of(kek), Optional.of(back), Set.of(kek), List.of(report));
      }
    };
  }

  private static MigrationStatus status(Resource resource, String text) {
    String[] words = text.split(" ", -1);
    String[] target = words[0].split("@", -1);
    Optional<KekId> kek = target.length == 2 ? Optional.of(new KekId(target[1])) : Optional.empty();
    State state =
        switch (words[1]) {
          case "running" -> new State.Running();
          case "done" -> new State.Succeeded(Notation.NOW);
          default -> new State.Failed(Notation.NOW.minus(Duration.parse(words[2])), "x");
        };
    String witness =
        (text.endsWith("elsewhere") ? "others" : Notation.WITNESS)
            + kek.map(_ -> " kek@" + SINCE).orElse("");
    return new MigrationStatus(
        resource,
        new MigrationTarget(target[0], kek),
        witness,
        words.length == 4 ? Integer.parseInt(words[3]) : 1,
        state);
  }

  private static ObservedState recorded(ObservedState seen, String kek) {
    if (kek.equals("-")) {
      return seen;
    }
    var secrets = new ArrayList<Key>();
    for (Key key : seen.stored().secrets()) {
      secrets.add(
          key.with(
              key.migrated()
                  .with(
                      Notation.SECRETS,
                      Optional.of(new KekId(kek)),
                      Optional.of(SINCE),
                      Notation.NOW)
                  .with(
                      Notation.CONFIGMAPS,
                      Optional.of(new KekId(kek)),
                      Optional.of(SINCE),
                      Notation.NOW)));
    }
    return new ObservedState(
        seen.at(),
        seen.component(),
        seen.wanted(),
        new Stored(secrets, List.of(), seen.stored().published()),
        seen.rollout(),
        seen.activity(),
        List.of(),
        seen.settings());
  }

  /// W23: a KMS key is re-encrypted without a new key. An earlier migration would count as done.
  @Test
  void w23TakesUpARequestToReencryptOnce() {
    var settled =
        new KekObservation(
            Optional.of(new KekId("A")), Optional.of(SINCE), Set.of(new KekId("A")), List.of());
    var notation = new Notation().wanted("kmsA").keys("1:kmsA+").rollout("w1 r1").published("=");
    ObservedState seen = requesting(recorded(notation.state(), "A"), "now", Optional.empty());
    assertThat(show(MigrationDecider.decide(seen, true, settled), Notation.CONFIGMAPS))
        .isEqualTo("reencrypt now");

    notation.migrations(List.of(status(Notation.SECRETS, "1@A done")));
    ObservedState before = requesting(recorded(notation.state(), "A"), "now", Optional.empty());
    assertThat(show(MigrationDecider.decide(before, true, settled), Notation.SECRETS))
        .isEqualTo("abort");

    ObservedState served = requesting(recorded(seen, "A"), "now", Optional.of("now"));
    assertThat(MigrationDecider.decide(served, true, settled)).isInstanceOf(Idle.class);
    Migrated cleared =
        recorded(seen, "A").ring().newest().orElseThrow().migrated().reencrypting("now");
    assertThat(cleared.keks()).isEmpty();
    assertThat(cleared.resources()).isNotEmpty();
    assertThat(cleared.reencryption().open()).isEmpty();
  }

  private static ObservedState requesting(
      ObservedState seen, String request, Optional<String> served) {
    List<Key> keys =
        seen.stored().secrets().stream()
            .map(key -> {
              Migrated done = key.migrated();
              return key.with(
                  new Migrated(
                      done.resources(),
                      done.at(),
                      done.keks(),
                      done.kekSince(),
                      new Reencryption(Optional.of(request), served)));
            })
            .toList();
    return seen.with(new Stored(keys, List.of(), seen.stored().published()));
  }

  private static String show(MigrationDecision decision, Resource resource) {
    return switch (decision) {
      case Idle _ -> "nothing";
      case Wait(var blocker, _) -> "wait " + blocker;
      case Work(var steps) -> {
        String text =
            steps.stream()
                .filter(step -> step.resource().equals(resource))
                .map(MigrationDeciderTest::show)
                .collect(Collectors.joining(", "));
        yield text.isEmpty() ? "nothing" : text;
      }
    };
  }

  private static String show(Step step) {
    return switch (step) {
      case Start start -> "start " + start.target() + " #" + start.attempt();
      case Watch _ -> "watch";
      case Mark mark -> "mark " + mark.serial() + mark.kek().map(k -> "@" + k).orElse("");
      case Unmark unmark -> "unmark " + unmark.extent();
      case RetryLater _ -> "retry later";
      case Abort _ -> "abort";
      case Reencrypt requested -> "reencrypt " + requested.request();
    };
  }
}
