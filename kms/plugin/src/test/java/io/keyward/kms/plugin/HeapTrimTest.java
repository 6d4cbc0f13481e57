package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeapTrimTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "at rest after a burst, 100000, 20000000, true",
    "nothing happened at all, 0, 20000000, true",
    "under load, 5000000, 20000000, false",
    "a collection came between, -3000000, 20000000, false",
    "nothing to win, 100000, 1000000, false",
    "smaller than at the last trim, 100000, -1000000, false"
  })
  void collectsOnlyAtRestAndWhereItPays(String when, long allocated, long grown, boolean due) {
    assertThat(HeapTrim.isDue(allocated, grown)).as(when).isEqualTo(due);
  }
}
