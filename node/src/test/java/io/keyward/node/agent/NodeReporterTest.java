package io.keyward.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.status.NodeStatus;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.codec.status.StatusBody;
import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.core.rollout.node.NodeFailure;
import io.keyward.core.rollout.node.NodeView;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.node.host.Installed;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An agent that runs revision 8 and has said so, and what it does about what stands there.
public final class NodeReporterTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final NodeView.Server READY =
      new NodeView.Server(
          true,
          Optional.of(
              new ApiServerProcess("boot", Instant.parse("2026-01-02T03:04:05Z"), Duration.ZERO)),
          Optional.empty());

  private final List<ObjectNode> written = new ArrayList<>();
  private long nanos;
  private final NodeReporter reporter =
      new NodeReporter(
          written::add,
          new Component(
              "kube-apiserver",
              "kube-system",
              "kubeapiservers",
              Workload.STATIC_POD,
              new TreeSet<>(),
              new TreeSet<>()),
          "a",
          () -> nanos);

  private void report(OperatorStatus seen, Optional<NodeFailure> failure) {
    reporter.report(seen, READY, new NodeReport(8, failure, Optional.empty(), Optional.empty()));
  }

  @Test
  void saysWhatIsInTheFilesOfTheNodeAndWhatWasThereBefore() throws IOException {
    reporter.report(
        status("-"),
        READY,
        new NodeReport(
            0,
            Optional.empty(),
            Optional.of("aescbc for secrets in /enc.yaml"),
            Optional.of(new Installed(3, "digest"))));
    JsonNode said = written.getLast().at("/status/nodeStatuses/0");
    assertThat(said.path("existingEncryption").asText())
        .isEqualTo("aescbc for secrets in /enc.yaml");
    assertThat(said.path("installedRevision").asLong()).isEqualTo(3);
    assertThat(said.path("installedDigest").asText()).isEqualTo("digest");
  }

  private void pass(long seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
  }

  /// As it is read from a server. The node of a row is `a`; the other one is always there.
  private static OperatorStatus status(String entry) throws IOException {
    String all =
        "{'nodeStatuses':[{'nodeName':'b','currentRevision':1}"
            + (entry.equals("-") ? "" : ",{'nodeName':'a'," + entry + "}")
            + "]}";
    return read(JSON.readTree("{\"status\":" + all.replace('\'', '"') + "}"));
  }

  private static OperatorStatus read(JsonNode resource) {
    return new StatusBody("operator.openshift.io/v1", "KubeAPIServer", "").read(resource);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # case                            | what stands                                                                                         | is said again
          the same                          | 'ready':true,'currentRevision':8,'startedTime':'2026-01-02T03:04:05Z'                               | false
          the operator's word is its own    | 'ready':true,'currentRevision':8,'startedTime':'2026-01-02T03:04:05Z','targetRevision':9            | false
          nothing                           | -                                                                                                   | true
          only where it is to go            | 'targetRevision':8                                                                                  | true
          a later number                    | 'ready':true,'currentRevision':9,'startedTime':'2026-01-02T03:04:05Z'                               | true
          it was not ready then             | 'ready':false,'currentRevision':8,'startedTime':'2026-01-02T03:04:05Z'                              | true
          it ran another process then       | 'ready':true,'currentRevision':8,'startedTime':'2025-01-02T03:04:05Z'                               | true
          it had failed then                | 'ready':true,'currentRevision':8,'startedTime':'2026-01-02T03:04:05Z','lastFailedRevision':8        | true
          """)
  void saysAgainWhatStandsOtherwise(String name, String entry, boolean again) throws IOException {
    OperatorStatus seen = status(entry);
    report(seen, Optional.empty());
    assertThat(written).as("nothing was said yet").hasSize(1);
    pass(29);
    report(seen, Optional.empty());
    assertThat(written).as("what was seen may be old").hasSize(1);
    pass(1);
    report(seen, Optional.empty());
    assertThat(written).as(name).hasSize(again ? 2 : 1);
    report(seen, Optional.empty());
    assertThat(written).as("not at every step").hasSize(again ? 2 : 1);
    assertThat(written.getLast().at("/status/nodeStatuses/0/currentRevision").asLong())
        .isEqualTo(8);
  }

  @Test
  void aStatusFromABackupIsCorrectedAtOnce() throws IOException {
    OperatorStatus backup =
        status("'ready':true,'currentRevision':5,'startedTime':'2026-01-02T03:04:05Z'");
    report(backup, Optional.empty());
    pass(1);
    report(backup, Optional.empty());
    assertThat(written).as("what was seen may be old").hasSize(1);
    pass(1);
    report(backup, Optional.empty());
    assertThat(written).hasSize(2);
  }

  @Test
  void whatChangedIsSaidAtOnceAndAFailureThatStandsIsNotSaidAgain() throws IOException {
    report(status("-"), Optional.empty());
    var failure = new NodeFailure(9, NodeFailure.Kind.NOT_READY, "no");
    report(status("-"), Optional.of(failure));
    assertThat(written).hasSize(2);
    pass(60);
    OperatorStatus stands = read(JSON.readTree(written.getLast().toString()));
    report(stands, Optional.of(failure));
    assertThat(written).hasSize(2);
    assertThat(reporter.own(stands).flatMap(NodeStatus::failure)).contains(failure);
  }
}
