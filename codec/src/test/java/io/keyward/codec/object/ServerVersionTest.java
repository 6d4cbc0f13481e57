package io.keyward.codec.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerVersionTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource({
    "1, 36, no",
    "1, 29, no",
    "1, 28, yes",
    "1, 27+, yes",
    "1, 5, yes",
    "2, 0, no",
    "'', '', no",
    "1, unknown, no"
  })
  void anOldServerIsNamed(String major, String minor, String refused) {
    var version = JSON.createObjectNode().put("major", major).put("minor", minor);
    assertThat(ServerVersion.problem(version).isPresent()).isEqualTo(refused.equals("yes"));
    ServerVersion.problem(version)
        .ifPresent(words -> assertThat(words).contains("1.29 or newer; upgrade the cluster"));
  }
}
