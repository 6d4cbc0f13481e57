package io.keyward.codec.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.codec.EncryptionStatus;
import io.keyward.core.model.Problem;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.core.rollout.RolloutBlocker;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OperatorStatusTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static OperatorStatus read(String json) throws JsonProcessingException {
    return new StatusBody("operator.openshift.io/v1", "KubeAPIServer", "")
        .read(JSON.readTree("{\"status\":" + json + "}"));
  }

  private static EncryptionStatus read(String key, String status, String time)
      throws JsonProcessingException {
    String json =
        """
        {"encryptionStatus":{"healthReports":[{"nodeName":"a","keyID":"%s","status":"%s",
          "lastCheckedTime":"%s","remoteKeyID":"k1"}]}}
        """
            .formatted(key, status, time);
    return read(json).encryption();
  }

  private static final KnownRevisions KNOWN =
      new KnownRevisions(5, new TreeMap<>(Map.of(4L, "four", 5L, "five")), Optional.empty());

  @Test
  void whatTheClusterDoesNotKnowHindersFirst() throws JsonProcessingException {
    var status =
        read(
            """
            {"nodeStatuses":[
             {"nodeName":"a","currentRevision":4,"installedRevision":5,"installedDigest":"five"},
             {"nodeName":"b","currentRevision":5,"installedRevision":5,"installedDigest":"x"},
             {"nodeName":"c","currentRevision":0,
              "existingEncryption":"aescbc for\\nsecrets in /enc.yaml"},
             {"nodeName":"d","currentRevision":6,"ready":true}]}
            """);
    var nodes = new TreeSet<>(List.of("a", "b", "c", "d"));
    assertThat(status.blockers(nodes, new TreeMap<>(), KNOWN))
        .containsExactly(
            new RolloutBlocker.Existing("node", "c", "aescbc for\nsecrets in /enc.yaml"),
            new RolloutBlocker.UnknownRevision("node", "b", 5, true),
            new RolloutBlocker.UnknownRevision("node", "d", 6, false));
    assertThat(new RolloutBlocker.Existing("node", "c", "aescbc for\nsecrets").words())
        .endsWith("aescbc for secrets");
  }

  @Test
  void aReportIsRead() throws JsonProcessingException {
    EncryptionStatus reports = read("3", "Healthy", "2026-01-02T03:04:05Z");
    assertThat(reports.problems()).isEmpty();
    assertThat(reports.reports())
        .singleElement()
        .satisfies(report -> {
          assertThat(report.status()).isEqualTo(HealthReport.Status.HEALTHY);
          assertThat(report.kek()).contains(new KekId("k1"));
        });
  }

  @Test
  void aFailureIsReadAsOneLine() throws JsonProcessingException {
    var status =
        read(
            """
            {"nodeStatuses":[
             {"nodeName":"a","currentRevision":5,"lastFailedRevision":4,"ready":true},
             {"nodeName":"b","currentRevision":4,"targetRevision":5,"lastFailedRevision":5,
              "lastFailedRevisionErrors":["no\\nspace\\u001b left","more"]}]}
            """);
    var nodes = new TreeSet<>(List.of("a", "b", "c"));
    assertThat(status.revisions(nodes, new TreeMap<>()))
        .containsExactly(
            new Revisions.Node("a", 5, 0, 4, true),
            new Revisions.Node("b", 4, 5, 5, false, "no space left", Optional.empty()),
            new Revisions.Node("c", 0, 0, 0, false));
    assertThat(status.blockers(nodes, new TreeMap<>(), KNOWN))
        .containsExactly(new RolloutBlocker.Failed("b", 5, "no space left"));
  }

  @Test
  void whoLeftHindersWhetherItSaysSomethingOrWasOnlyAsked() throws JsonProcessingException {
    var status =
        read(
            """
            {"nodeStatuses":[
             {"nodeName":"a","currentRevision":5,"ready":true},
             {"nodeName":"b","currentRevision":0,"ready":false,"targetRevision":5},
             {"nodeName":"c","askedTime":"2026-01-02T03:04:05Z"},
             {"nodeName":"d","askedTime":"2026-01-02T03:04:05Z","answered":true},
             {"nodeName":"e","askedTime":"2026-01-02T03:04:05Z","ready":true}]}
            """);
    var nodes = new TreeSet<>(List.of("a"));
    var asked = Optional.of(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(status.removed(nodes))
        .containsExactly(
            new RemovedNode("b", true, Optional.empty(), false),
            new RemovedNode("c", false, asked, false),
            new RemovedNode("d", false, asked, true),
            new RemovedNode("e", true, asked, false));
    assertThat(status.blockers(nodes, new TreeMap<>(), KNOWN))
        .containsExactly(
            new RolloutBlocker.Left("b", false),
            new RolloutBlocker.Left("c", false),
            new RolloutBlocker.Left("d", true),
            new RolloutBlocker.Left("e", true));
  }

  @ParameterizedTest
  @CsvSource({
    "mine, Healthy, 2026-01-02T03:04:05Z, names no key by its number",
    "3, Healthy, yesterday, has no time",
    "3, Splendid, 2026-01-02T03:04:05Z, has an unknown status"
  })
  void whatCannotBeReadIsTold(String key, String status, String time, String problem)
      throws JsonProcessingException {
    EncryptionStatus reports = read(key, status, time);
    assertThat(reports.reports()).isEmpty();
    assertThat(reports.problems())
        .containsExactly(new Problem("the health report of node a", problem));
  }

  @Test
  void whoDoesNotAnswerIsNotReadyWhateverItSaidBefore() throws JsonProcessingException {
    var status =
        read(
            """
            {"nodeStatuses":[{"nodeName":"a","currentRevision":5,"targetRevision":5,"ready":true},
             {"nodeName":"b","currentRevision":5,"targetRevision":5,"ready":true}]}
            """);
    var nodes = new TreeSet<>(List.of("a", "b"));
    var silent = new TreeMap<>(Map.of("a", "NotReady"));
    assertThat(status.revisions(nodes, silent))
        .containsExactly(
            new Revisions.Node("a", 5, 5, 0, false, "", Optional.of("NotReady")),
            new Revisions.Node("b", 5, 5, 0, true));
    assertThat(status.removed(nodes)).isEmpty();
  }
}
