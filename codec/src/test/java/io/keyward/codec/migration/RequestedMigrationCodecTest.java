package io.keyward.codec.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.core.model.MigrationStatus.State;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestedMigrationCodecTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:10Z");

  @ParameterizedTest
  @CsvSource({
    "2026-01-02T03:04:05Z, 2026-01-02T03:04:05Z",
    "2027-01-02T03:04:05Z, 1970-01-01T00:00:00Z",
    "yesterday, 1970-01-01T00:00:00Z"
  })
  void aFailureOfATimeToComeIsNotWaitedFor(String told, Instant counts)
      throws JsonProcessingException {
    var item =
        new ObjectMapper()
            .readTree(
                """
                {"status":{"conditions":[{"type":"Failed","status":"True","message":"why",
                  "lastTransitionTime":"%s"}]}}
                """
                    .formatted(told));
    assertThat(RequestedMigrationCodec.state(item, NOW)).isEqualTo(new State.Failed(counts, "why"));
  }
}
