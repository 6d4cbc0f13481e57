package io.keyward.codec.migration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MigrationProgressTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0    | 0    | 0     | progress unknown
          500  | 2000 | 250.4 | 500 of 2000, 250 a second, 6 s left
          500  | 2000 | 0     | 500 of 2000
          2000 | 2000 | 800   | 2000 of 2000, 800 a second
          """)
  void saysHowFarItIs(long done, long total, double perSecond, String words) {
    assertThat(new MigrationProgress(done, total, perSecond).words()).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "24, 100, 0", "25, 100, 1", "99, 100, 3", "100, 100, 4"})
  void knowsTheQuarter(long done, long total, int quarter) {
    assertThat(new MigrationProgress(done, total, 1).quarter()).isEqualTo(quarter);
  }
}
