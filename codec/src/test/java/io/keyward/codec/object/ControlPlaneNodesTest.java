package io.keyward.codec.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ControlPlaneNodesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                    | conditions                                                                     | silent
          no kubelet                | -                                                                              | -
          none that tells           | {"type":"DiskPressure","status":"False"}                                       | -
          ready                     | {"type":"Ready","status":"True"}                                               | -
          not ready                 | {"type":"Ready","status":"False","lastTransitionTime":"2026-01-02T03:04:05Z"}  | NotReady since 2026-01-02T03:04:05Z
          nobody heard of it        | {"type":"Ready","status":"Unknown","lastTransitionTime":"2026-01-02T03:04:05Z"}| NotReady since 2026-01-02T03:04:05Z
          since a time nobody knows | {"type":"Ready","status":"Unknown","lastTransitionTime":"x"}                   | NotReady
          """)
  void saysWhoDoesNotAnswer(String name, String conditions, String silent)
      throws JsonProcessingException {
    String json =
        """
        {"metadata":{"name":"a"},"status":{"conditions":[%s]}}
        """
            .formatted(conditions.equals("-") ? "" : conditions);
    ControlPlaneNodes nodes = ControlPlaneNodes.of(List.of(JSON.readTree(json)));
    assertThat(nodes.names()).containsExactly("a");
    assertThat(Optional.ofNullable(nodes.silent().get("a")).orElse("-")).as(name).isEqualTo(silent);
  }
}
