package io.keyward.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RepetitionTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "one step after the other,               a b c d,   ....",
    "what lost a race is tried again,        a a b,     ...",
    "the third time,                         a a a a,   ..!!",
    "something else counts anew,             a a a b a, ..!..",
    "so does what comes after nothing,       a a - a a, .....",
    "nothing is no repetition,               - - - -,   ....",
  })
  void noticesWhoWritesTheSame(String name, String turns, String expected) {
    var repetition = new Repetition();
    var seen = new StringBuilder();
    for (String turn : turns.split(" ", -1)) {
      seen.append(repetition.add(turn.replace("-", "")) ? '!' : '.');
    }
    assertThat(seen).as(name).hasToString(expected);
  }
}
