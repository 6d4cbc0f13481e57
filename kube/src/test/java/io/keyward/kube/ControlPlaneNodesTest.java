package io.keyward.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.keyward.core.model.Revisions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ControlPlaneNodesTest {
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
    ControlPlaneNodes nodes = ControlPlaneNodes.of(List.of(Api.JSON.readTree(json)));
    assertThat(nodes.names()).containsExactly("a");
    assertThat(Optional.ofNullable(nodes.silent().get("a")).orElse("-")).as(name).isEqualTo(silent);
  }

  @Test
  void whoDoesNotAnswerIsNotReadyWhateverItSaidBefore() throws JsonProcessingException {
    var status =
        Api.JSON.readTree(
            """
            {"nodeStatuses":[{"nodeName":"a","currentRevision":5,"targetRevision":5,"ready":true},
             {"nodeName":"b","currentRevision":5,"targetRevision":5,"ready":true}]}
            """);
    var nodes = new TreeSet<>(List.of("a", "b"));
    var silent = new TreeMap<>(Map.of("a", "NotReady"));
    assertThat(StatusReader.nodes(status, nodes, silent))
        .containsExactly(
            new Revisions.Node("a", 5, 5, 0, false, "", Optional.of("NotReady")),
            new Revisions.Node("b", 5, 5, 0, true));
    assertThat(StatusReader.left(status, nodes)).isEmpty();
  }
}
