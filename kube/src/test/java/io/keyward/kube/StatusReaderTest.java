package io.keyward.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.KekId;
import io.keyward.core.model.Problem;
import io.keyward.core.model.RemovedNode;
import io.keyward.core.model.Revisions;
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

final class StatusReaderTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:10Z");

  private static StatusReader.Reports read(String key, String status, String time)
      throws JsonProcessingException {
    String json =
        """
        {"encryptionStatus":{"healthReports":[{"nodeName":"a","keyID":"%s","status":"%s",
          "lastCheckedTime":"%s","remoteKeyID":"k1"}]}}
        """
            .formatted(key, status, time);
    return StatusReader.reports(Api.JSON.readTree(json), new Sightings(), NOW);
  }

  private static final KnownRevisions KNOWN =
      new KnownRevisions(5, new TreeMap<>(Map.of(4L, "four", 5L, "five")), Optional.empty());

  @Test
  void whatTheClusterDoesNotKnowHindersFirst() throws JsonProcessingException {
    var status =
        Api.JSON.readTree(
            """
            {"nodeStatuses":[
             {"nodeName":"a","currentRevision":4,"installedRevision":5,"installedDigest":"five"},
             {"nodeName":"b","currentRevision":5,"installedRevision":5,"installedDigest":"x"},
             {"nodeName":"c","currentRevision":0,
              "existingEncryption":"aescbc for\\nsecrets in /enc.yaml"},
             {"nodeName":"d","currentRevision":6,"ready":true}]}
            """);
    var nodes = new TreeSet<>(List.of("a", "b", "c", "d"));
    assertThat(StatusReader.hindrances(status, nodes, new TreeMap<>(), KNOWN))
        .containsExactly(
            new RolloutBlocker.Existing("node", "c", "aescbc for\nsecrets in /enc.yaml"),
            new RolloutBlocker.UnknownRevision("node", "b", 5, true),
            new RolloutBlocker.UnknownRevision("node", "d", 6, false));
    assertThat(new RolloutBlocker.Existing("node", "c", "aescbc for\nsecrets").words())
        .endsWith("aescbc for secrets");
  }

  @Test
  void aReportIsRead() throws JsonProcessingException {
    StatusReader.Reports reports = read("3", "Healthy", "2026-01-02T03:04:05Z");
    assertThat(reports.unreadable()).isEmpty();
    assertThat(reports.read())
        .singleElement()
        .satisfies(report -> {
          assertThat(report.status()).isEqualTo(HealthReport.Status.HEALTHY);
          assertThat(report.kek()).contains(new KekId("k1"));
        });
  }

  @Test
  void aFailureIsReadAsOneLine() throws JsonProcessingException {
    var status =
        Api.JSON.readTree(
            """
            {"nodeStatuses":[
             {"nodeName":"a","currentRevision":5,"lastFailedRevision":4,"ready":true},
             {"nodeName":"b","currentRevision":4,"targetRevision":5,"lastFailedRevision":5,
              "lastFailedRevisionErrors":["no\\nspace\\u001b left","more"]}]}
            """);
    var nodes = new TreeSet<>(List.of("a", "b", "c"));
    assertThat(StatusReader.nodes(status, nodes, new TreeMap<>()))
        .containsExactly(
            new Revisions.Node("a", 5, 0, 4, true),
            new Revisions.Node("b", 4, 5, 5, false, "no space left", Optional.empty()),
            new Revisions.Node("c", 0, 0, 0, false));
    assertThat(StatusReader.hindrances(status, nodes, new TreeMap<>(), KNOWN))
        .containsExactly(new RolloutBlocker.Failed("b", 5, "no space left"));
  }

  @Test
  void whoLeftHindersWhetherItSaysSomethingOrWasOnlyAsked() throws JsonProcessingException {
    var status =
        Api.JSON.readTree(
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
    assertThat(StatusReader.left(status, nodes))
        .containsExactly(
            new RemovedNode("b", true, Optional.empty(), false),
            new RemovedNode("c", false, asked, false),
            new RemovedNode("d", false, asked, true),
            new RemovedNode("e", true, asked, false));
    assertThat(StatusReader.hindrances(status, nodes, new TreeMap<>(), KNOWN))
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
    StatusReader.Reports reports = read(key, status, time);
    assertThat(reports.read()).isEmpty();
    assertThat(reports.unreadable())
        .containsExactly(new Problem("the health report of node a", problem));
  }

  private static HealthReport told(Sightings sightings, String members, Instant now)
      throws JsonProcessingException {
    String json =
        """
        {"encryptionStatus":{"healthReports":[{"nodeName":"a","keyID":"3","status":"Error",
          "lastCheckedTime":"2026-01-02T03:04:05Z","remoteKeyID":"k1"%s}]}}
        """
            .formatted(members);
    return StatusReader.reports(Api.JSON.readTree(json), sightings, now).read().getFirst();
  }

  @Test
  void whatAReportTellsOfThePastIsRead() throws JsonProcessingException {
    HealthReport report =
        told(
            new Sightings(),
            """
            ,"statusSince":"2026-01-02T03:00:00Z","remoteKeyIDSince":"2026-01-01T00:00:00Z",
            "remoteKeyIDBefore":"k0"
            """,
            NOW);
    assertThat(report.statusSince()).contains(Instant.parse("2026-01-02T03:00:00Z"));
    assertThat(report.kekSince()).contains(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(report.kekBefore()).contains(new KekId("k0"));
  }

  /// Of a monitor of others, or an older agent.
  @Test
  void whereAReportDoesNotTellItCountsFromWhenItWasSeen() throws JsonProcessingException {
    var sightings = new Sightings();
    told(sightings, "", NOW);
    HealthReport report = told(sightings, "", NOW.plusSeconds(90));
    assertThat(report.statusSince()).contains(NOW);
    assertThat(report.kekSince()).contains(NOW);
    assertThat(report.kekBefore()).isEmpty();
  }

  /// The clock of a node runs an hour ahead.
  @Test
  void aTimeToComeCountsFromWhenItWasSeenAndStaysSo() throws JsonProcessingException {
    var sightings = new Sightings();
    String ahead =
        """
        ,"statusSince":"2026-01-02T04:04:00Z","remoteKeyIDSince":"2026-01-02T04:04:00Z"
        """;
    for (long later : new long[] {0, 60, 7200}) {
      HealthReport report = told(sightings, ahead, NOW.plusSeconds(later));
      assertThat(report.statusSince()).contains(NOW);
      assertThat(report.kekSince()).contains(NOW);
    }
    // It went to another one and came back.
    Instant later = NOW.plusSeconds(600);
    String again = ahead.replace("04:04:00", "04:14:00") + ",\"remoteKeyIDBefore\":\"k2\"";
    assertThat(told(sightings, again, later).kekSince()).contains(later);
  }
}
