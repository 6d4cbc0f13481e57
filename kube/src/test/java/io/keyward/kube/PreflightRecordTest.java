package io.keyward.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.KekId;
import io.keyward.core.model.PreflightState.Report;
import io.keyward.core.model.PreflightState.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PreflightRecordTest {
  private static ObjectNode asked(String... answers) throws JsonProcessingException {
    ObjectNode json =
        (ObjectNode)
            Api.JSON.readTree(
                """
                {"metadata":{"labels":{"keyward.io/preflight-of":"kube-apiserver"}},
                 "data":{"config":"AQAAAA==","startedTime":"2026-01-02T03:04:05Z"}}
                """);
    for (int i = 0; i < answers.length; i++) {
      json.withObject("/data").put("node." + (char) ('a' + i), answers[i]);
    }
    return json;
  }

  private static Run run(String... answers) throws JsonProcessingException {
    return PreflightRecord.run(Optional.of(asked(answers)), new TreeSet<>(List.of("a", "b")))
        .orElseThrow();
  }

  @Test
  void whatNodesAnsweredIsRead() throws JsonProcessingException {
    String good = PreflightRecord.answer(true, "k1", "");
    Run passed = run(good, good);
    assertThat(passed.config()).contains(new Fingerprint("AQAAAA=="));
    assertThat(passed.startedAt()).contains(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(passed.report()).contains(new Report(true, Optional.of(new KekId("k1")), ""));
    assertThat(passed.stuckOn()).isEmpty();
    assertThat(run(good, PreflightRecord.answer(false, "", "sealed")).report())
        .contains(new Report(false, Optional.empty(), "on node b: sealed"));
  }

  @Test
  void whoDidNotAnswerOrNotSoThatItCanBeReadIsNamed() throws JsonProcessingException {
    Run waits = run(PreflightRecord.answer(true, "k1", ""), "{");
    assertThat(waits.report()).isEmpty();
    assertThat(waits.stuckOn().orElseThrow())
        .contains("node agent on b since 2026-01-02T03:04:05Z");
  }

  @Test
  void oneWithoutTheLabelIsNotOurs() throws JsonProcessingException {
    ObjectNode theirs = asked();
    assertThat(PreflightRecord.isOurs(theirs)).isTrue();
    theirs.withObject("/metadata/labels").removeAll();
    assertThat(PreflightRecord.isOurs(theirs)).isFalse();
    theirs.remove("metadata");
    assertThat(PreflightRecord.isOurs(theirs)).isFalse();
  }
}
