package io.keyward.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.key.KeyDecision.Keep;
import io.keyward.core.layout.LayoutDecision.Republish;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The events for `secrets`, and what is said of its keys.
final class EventReporterTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                            | runs          | next          | keys         | events
          nothing changes                   | w1 r1         | w1 r1         | 1:aes        | -
          a resource leaves                 | w1 r1         | -             | 1:aes        | EncryptionResourceRemoved: Resource "secrets" was removed from encryption config
          a resource comes, written at once | -             | secrets:w1 r1 | 1:aes        | EncryptionResourceAdded: Resource "secrets" was added to encryption config with write key "1"
          a resource comes                  | -             | secrets:w- r1 | 1:aes        | EncryptionResourceAdded: Resource "secrets" was added to encryption config without write key
          the first key writes              | w- r1         | w1 r1         | 1:aes        | EncryptionKeyPromoted: Promoting key "1" for resource "secrets" to write key
          no key writes any more            | w1 r1         | w- r1         | 1:aes        | EncryptionKeyRemoved: Removing key "1" as write key of resource "secrets"
          a key that was asked for          | w1 r2,1       | w2 r2,1       | 2:aes 1:aes  | EncryptionWriteKeyTriggeredExternal: Triggered key "1" for resource "secrets" because external-2; EncryptionWriteKeyTriggeredInternal: Triggered key "1" for resource "secrets" because internal-2; EncryptionWriteKeyChanged: Write key "1" for resource "secrets" changed
          a key is learned                  | w1 r1         | w1 r2,1       | 2:aes 1:aes  | EncryptionReadKeysChanged: Number of read keys for resource "secrets" changed from 1 to 2
          a key is dropped                  | w2 r2,1       | w2 r2         | 2:aes 1:aes  | EncryptionReadKeysChanged: Number of read keys for resource "secrets" changed from 2 to 1
          """)
  void tellsHowTheNextConfigurationDiffers(
      String name, String runs, String next, String keys, String events) {
    var notation = new Notation().wanted("aes").keys(keys).rollout(runs).published("=");
    ObservedState seen = withReasons(notation.state());
    var layout = next.equals("-") ? EncryptionLayout.EMPTY : notation.layout(next);
    TurnPlan plan = Turn.plan(seen);
    var said =
        EventReporter.report(
            seen,
            new TurnPlan(
                plan.migration(),
                new Keep(),
                new Republish(layout),
                plan.preflight(),
                plan.rotation(),
                plan.prune(),
                plan.health(),
                plan.rollout(),
                plan.conditions()));
    String text =
        said.stream()
            .filter(event -> event.message().contains("\"secrets\""))
            .map(event -> event.reason() + ": " + event.message())
            .collect(Collectors.joining("; "));
    assertThat(text.isEmpty() ? "-" : text).as(name).isEqualTo(events);
  }

  private static ObservedState withReasons(ObservedState seen) {
    var secrets = new ArrayList<Key>();
    for (Key key : seen.stored().secrets()) {
      secrets.add(
          new Key(
              key.serial(),
              key.mode(),
              key.material(),
              true,
              key.kms(),
              key.migrated(),
              "internal-" + key.serial(),
              "external-" + key.serial()));
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

  @Test
  void aNewKeyIsTold() {
    var seen = new Notation().wanted("aes").rollout("-").state();
    assertThat(EventReporter.report(seen, Turn.plan(seen)))
        .containsExactly(
            new TurnEvent(
                TurnEvent.Part.KEY,
                "EncryptionKeyCreated",
                "Secret \"encryption-key-server-1\" successfully created: [\"key-does-not-exist\"]"));
  }

  @Test
  void aKeyThatIsTakenBackIsTold() {
    var seen =
        new Notation()
            .wanted("aes")
            .keys("2:kmsA- 1:aes+")
            .rollout("failing")
            .published("w1 r2,1")
            .state();
    assertThat(EventReporter.report(seen, Turn.plan(seen)))
        .containsExactly(
            new TurnEvent(
                TurnEvent.Part.KEY,
                "EncryptionKeyRetracted",
                "Secret \"encryption-key-server-2\" was withdrawn: its rollout fails, it is no"
                    + " longer requested, and nothing was written with it"));
  }

  @Test
  void prunedKeysAreCounted() {
    var keys = new ArrayList<String>();
    keys.add("20:aes+");
    for (int serial = 19; serial > 0; serial--) {
      keys.add(serial + ":aes");
    }
    var seen =
        new Notation()
            .wanted("aes")
            .keys(String.join(" ", keys))
            .rollout("w20 r20")
            .published("=")
            .state();
    assertThat(EventReporter.report(seen, Turn.plan(seen)))
        .contains(
            new TurnEvent(
                TurnEvent.Part.PRUNE, "EncryptionKeysPruned", "Successfully pruned 9 secrets"));
  }
}
