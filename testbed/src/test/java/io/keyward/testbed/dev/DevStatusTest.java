package io.keyward.testbed.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.dev.DevStatus.Condition;
import io.keyward.testbed.dev.DevStatus.Health;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DevStatusTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # servers                 | cluster
          READY READY READY         | UP
          READY NOT_READY READY     | NOT_READY
          READY PAUSED READY        | NOT_READY
          READY DEAD READY          | HALF_DEAD
          DEAD NOT_READY NOT_READY  | HALF_DEAD
          DEAD DEAD DEAD            | STOPPED
          """)
  void theWorstServerNamesTheCluster(String servers, Health health) {
    assertThat(DevStatus.healthOf(Stream.of(servers.split(" ")).map(Condition::valueOf).toList()))
        .isEqualTo(health);
  }
}
