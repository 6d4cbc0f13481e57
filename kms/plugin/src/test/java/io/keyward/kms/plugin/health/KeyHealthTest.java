package io.keyward.kms.plugin.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.spi.KekId;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyHealthTest {
  private static final Instant START = Instant.parse("2026-01-15T00:00:00Z");

  /// Events are `wN:id` (wrap number N answered with id), `uN` (unwrapped), `fN` (failed).
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                     | events              | kek | problem
          nothing is known at first                  | -                   | -   | starting
          the first answer makes it good             | w1:a                | a   | -
          an unwrap alone does not tell the version  | u1                  | -   | starting
          a failure is told at once                  | w1:a f2             | a   | boom
          the last known version stays known         | w1:a f2 f3          | a   | boom
          a success ends it at once                  | w1:a f2 w3:a        | a   | -
          an unwrap does not: it may not seal        | w1:a f2 u3          | a   | boom
          a rotation shows                           | w1:a w2:b           | b   | -
          a late answer does not flip it back        | w2:b w1:a           | b   | -
          a late failure is old news                 | w2:a f1             | a   | -
          a late success is old news                 | w1:a f3 w2:a        | a   | boom
          an old version is never current again      | w1:a w2:b w3:a      | b   | older
          and it stays so while the KMS insists      | w1:a w2:b w3:a w4:a | b   | older
          until the newer one comes back             | w1:a w2:b w3:a w4:b | b   | -
          """)
  void follows(String name, String events, String kek, String problem) {
    KeyHealth health = KeyHealth.starting(START);
    for (String event : events.equals("-") ? new String[0] : events.split(" ", -1)) {
      health = apply(health, event);
    }
    assertThat(health.kek().map(KekId::value).orElse("-")).isEqualTo(kek);
    if (problem.equals("-")) {
      assertThat(health.isGood()).isTrue();
    } else {
      assertThat(health.problem()).hasValueSatisfying(found -> assertThat(found).contains(problem));
    }
  }

  private static KeyHealth apply(KeyHealth before, String event) {
    String[] parts = event.substring(1).split(":", 2);
    long call = Long.parseLong(parts[0]);
    Instant at = START.plusSeconds(call);
    return switch (event.charAt(0)) {
      case 'w' -> before.wrapped(call, new KekId(parts[1]), at);
      case 'u' -> before.unwrapped(call, at);
      default -> before.failed(call, "boom", at);
    };
  }

  @Test
  void remembersSinceWhenItIsBadAndNotWhenItWasLastTold() {
    KeyHealth health =
        KeyHealth.starting(START)
            .wrapped(1, new KekId("a"), START.plusSeconds(1))
            .failed(2, "boom", START.plusSeconds(2))
            .failed(3, "boom", START.plusSeconds(3));
    assertThat(health.problemSince()).isEqualTo(START.plusSeconds(2));
    assertThat(health.lastSuccess()).contains(START.plusSeconds(1));
    assertThat(health.kekSince()).isEqualTo(START.plusSeconds(1));
  }
}
