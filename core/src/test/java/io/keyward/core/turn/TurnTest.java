package io.keyward.core.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TurnTest {
  private static final List<String> KINDS = List.of("id", "aes", "gcm", "kmsA", "kmsB", "kmsA2");
  private static final List<String> MARKS = List.of("", "+", "?", "!", "~", "*", "+P8D");

  @Test
  void neverThrowsAndDecidesTwiceTheSameOnAnyState() {
    for (long seed = 0; seed < 5_000; seed++) {
      ObservedState seen = any(new SplittableRandom(seed));
      TurnPlan plan = Turn.plan(seen);
      assertThat(Turn.plan(seen)).as("seed %d", seed).isEqualTo(plan);
    }
  }

  /// One step from what runs: who writes next is read by all now, and who writes now is read next.
  @Test
  void everyStepCanBeReadByItsNeighbours() {
    for (long seed = 0; seed < 5_000; seed++) {
      ObservedState seen = any(new SplittableRandom(seed));
      if (seen.deployed().isPresent()
          && Turn.plan(seen).layout() instanceof LayoutDecision.Publish next) {
        var now = seen.deployed().orElseThrow();
        for (var resource : now.stacks().keySet()) {
          var before = now.stack(resource);
          var after = next.layout().stack(resource);
          assertThat(writes(before).allMatch(after::reads)).as("seed %d", seed).isTrue();
          assertThat(writes(after).allMatch(before::reads)).as("seed %d", seed).isTrue();
        }
      }
    }
  }

  /// Plaintext is read by everybody.
  private static Stream<KeySerial> writes(KeyStack stack) {
    return stack.writeKey().stream().filter(key -> key.mode() != Mode.IDENTITY).map(Key::serial);
  }

  @Test
  void w15WhateverWaitsSaysOnWhatSinceWhenAndWhatEndsIt() {
    var seen = new Notation().wanted("gcm").keys("3:aes").rollout("w3 r3").published("=").state();
    Condition waiting = condition(Turn.plan(seen), "EncryptionWaiting");
    assertThat(waiting.reason()).isEqualTo("WaitingForMigration");
    assertThat(waiting.message())
        .contains("key 3 is not migrated for [configmaps, secrets]")
        .contains("this ends when");
    assertThat(waiting.since()).isEqualTo(Notation.NOW);
  }

  private static Condition condition(TurnPlan plan, String type) {
    return plan.conditions().stream()
        .filter(condition -> condition.type().equals(type))
        .findFirst()
        .orElseThrow();
  }

  private static ObservedState any(SplittableRandom random) {
    var words = new ArrayList<String>();
    int count = random.nextInt(5);
    for (int serial = count; serial >= 1; serial--) {
      words.add(serial + ":" + pick(KINDS, random) + pick(MARKS, random));
    }
    var notation =
        new Notation()
            .wanted(
                pick(KINDS, random), "", random.nextBoolean() ? "secrets" : "configmaps,secrets")
            .keys(words.isEmpty() ? "-" : String.join(" ", words));
    notation.rollout(random.nextInt(6) == 0 ? "rolling" : layout(count, random));
    notation.published(random.nextInt(3) == 0 ? layout(count, random) : "=");
    return notation.preflight(pick(List.of("-", "passed kmsA", "failed kmsB"), random)).state();
  }

  private static String layout(int count, SplittableRandom random) {
    if (count == 0 || random.nextInt(5) == 0) {
      return "-";
    }
    var reads = new ArrayList<String>();
    for (int serial = count; serial >= 1; serial--) {
      if (random.nextInt(3) != 0 || (serial == 1 && reads.isEmpty())) {
        reads.add(Integer.toString(serial));
      }
    }
    String write = random.nextInt(3) == 0 ? "-" : pick(reads, random);
    return (random.nextInt(4) == 0 ? "secrets:" : "")
        + "w"
        + write
        + " r"
        + String.join(",", reads);
  }

  private static String pick(List<String> from, SplittableRandom random) {
    return from.get(random.nextInt(from.size()));
  }
}
