package io.keyward.codec.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState.Report;
import io.keyward.core.model.kms.PreflightState.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PreflightRecordTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static ObjectNode asked(String... answers) throws JsonProcessingException {
    ObjectNode json =
        (ObjectNode)
            JSON.readTree(
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
    return PreflightCodec.run(Optional.of(asked(answers)), new TreeSet<>(List.of("a", "b")))
        .orElseThrow();
  }

  @Test
  void whatNodesAnsweredIsRead() throws JsonProcessingException {
    String good = PreflightCodec.answer(true, "k1", "");
    Run passed = run(good, good);
    assertThat(passed.config()).contains(new Fingerprint("AQAAAA=="));
    assertThat(passed.startedAt()).contains(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(passed.report()).contains(new Report(true, Optional.of(new KekId("k1")), ""));
    assertThat(passed.stuckOn()).isEmpty();
    assertThat(run(good, PreflightCodec.answer(false, "", "sealed")).report())
        .contains(new Report(false, Optional.empty(), "on node b: sealed"));
  }

  @Test
  void whoDidNotAnswerOrNotSoThatItCanBeReadIsNamed() throws JsonProcessingException {
    Run waits = run(PreflightCodec.answer(true, "k1", ""), "{");
    assertThat(waits.report()).isEmpty();
    assertThat(waits.stuckOn().orElseThrow())
        .contains("node agent on b since 2026-01-02T03:04:05Z");
  }

  @Test
  void oneWithoutTheLabelIsNotOurs() throws JsonProcessingException {
    ObjectNode theirs = asked();
    assertThat(PreflightCodec.isOurs(theirs)).isTrue();
    theirs.withObject("/metadata/labels").removeAll();
    assertThat(PreflightCodec.isOurs(theirs)).isFalse();
    theirs.remove("metadata");
    assertThat(PreflightCodec.isOurs(theirs)).isFalse();
  }
}
