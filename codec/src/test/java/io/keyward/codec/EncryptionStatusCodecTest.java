package io.keyward.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.core.model.Problem;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EncryptionStatusCodecTest {
  private static final String GOOD =
      """
      {"nodeName":"node-a","keyID":"1","status":"Healthy","lastCheckedTime":"2026-01-15T00:00:00Z","remoteKeyID":"kek-1"}\
      """;
  private static final Instant AT = Instant.parse("2026-01-15T00:00:00Z");

  private static final HealthReport WHOLE =
      new HealthReport(
          "node-a",
          new KeySerial(7),
          HealthReport.Status.UNHEALTHY,
          AT,
          Optional.of(new KekId("b")),
          Optional.of(AT),
          Optional.of(AT.minusSeconds(5)),
          Optional.of(new KekId("a")),
          "sealed");
  private static final Result RESULT =
      new Result(
          true, new Fingerprint("abcdefgh"), Optional.of(new KekId("b")), Optional.of(AT), 4, "d");

  @Test
  void whatOthersWriteIsRead() {
    var status =
        EncryptionStatusCodec.decode(
            "{\"healthReports\":["
                + GOOD
                + "],\"preflight\":{\"observedConfigHash\":\"AQAAAA==\",\"result\":{\"status\":"
                + "\"Failed\",\"configHash\":\"AQAAAA==\",\"remoteKeyID\":\"vault-transit-key-v3\"}}}");
    assertThat(status.problems()).isEmpty();
    assertThat(status.reports())
        .containsExactly(
            new HealthReport(
                "node-a",
                new KeySerial(1),
                HealthReport.Status.HEALTHY,
                AT,
                Optional.of(new KekId("kek-1")),
                Optional.empty(),
                Optional.empty(),
                ""));
    assertThat(status.observed()).contains(new Fingerprint("AQAAAA=="));
    assertThat(status.result())
        .contains(
            new Result(
                false,
                new Fingerprint("AQAAAA=="),
                Optional.of(new KekId("vault-transit-key-v3")),
                Optional.empty(),
                1,
                ""));
  }

  @Test
  void w1AReportWithoutAKekIsReadAndWritten() {
    var report =
        new HealthReport(
            "node-a",
            new KeySerial(7),
            HealthReport.Status.ERROR,
            AT,
            Optional.empty(),
            Optional.of(AT),
            Optional.empty(),
            "connection refused");
    String text = EncryptionStatusCodec.encode(report).toString();
    assertThat(text).doesNotContain("remoteKeyID");
    assertThat(EncryptionStatusCodec.decode("{\"healthReports\":[" + text + "]}").reports())
        .containsExactly(report);
  }

  @Test
  void ourOwnMembersSurvive() {
    var read =
        EncryptionStatusCodec.decode(
            "{\"healthReports\":["
                + EncryptionStatusCodec.encode(WHOLE)
                + "],\"preflight\":{\"result\":"
                + EncryptionStatusCodec.encode(RESULT)
                + "}}");
    assertThat(read.reports()).containsExactly(WHOLE);
    assertThat(read.result()).contains(RESULT);
  }

  /// A server drops what its schema does not know.
  @ParameterizedTest
  @CsvSource({
    "kubeapiservers, /encryptionStatus",
    "openshiftapiservers, /encryptionStatus",
    "authentications, /oauthAPIServer/properties/encryptionStatus"
  })
  void everyMemberThatIsWrittenIsInTheSchema(String kind, String member) throws IOException {
    Path file = Path.of("../deploy/crds/operator.openshift.io_" + kind + ".yaml");
    JsonNode status =
        Json.read(Files.readString(file))
            .orElseThrow()
            .at("/spec/versions/0/schema/openAPIV3Schema/properties/status/properties" + member);
    assertThat(names(status.at("/properties/healthReports/items/properties")))
        .containsAll(names(EncryptionStatusCodec.encode(WHOLE)));
    assertThat(names(status.at("/properties/preflight/properties/result/properties")))
        .containsAll(names(EncryptionStatusCodec.encode(RESULT)));
  }

  private static List<String> names(JsonNode node) {
    return node.properties().stream().map(Map.Entry::getKey).toList();
  }

  @Test
  void nothingIsNothingWrong() {
    for (String empty : new String[] {"", " ", "{}"}) {
      var status = EncryptionStatusCodec.decode(empty);
      assertThat(status.reports()).isEmpty();
      assertThat(status.problems()).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # case                     | from                   | to                | problem
          a node in capitals         | "node-a"               | "INVALID"         | has no valid nodeName
          no node                    | "nodeName":"node-a",   |                   | has no valid nodeName
          a key that is no number    | "keyID":"1"            | "keyID":"key-1"   | names no key by its number
          an unknown status          | Healthy                | healthy           | has an unknown status
          no time                    | 2026-01-15T00:00:00Z   | yesterday         | has no time
          an empty KEK               | kek-1                  |                   | has a remoteKeyID that is not 1 to 1024 characters
          a KEK that is a number     | "kek-1"                | 5                 | has a remoteKeyID that is not 1 to 1024 characters
          an invalid time of Keyward | "keyID":"1"            | "keyID":"1","statusSince":"x" | has an invalid time
          """)
  void aBadReportIsToldAndTheOthersCount(String name, String from, String to, String problem) {
    String bad = GOOD.replace(from, to == null ? "" : to);
    String other = GOOD.replace("node-a", "node-b");
    var status = EncryptionStatusCodec.decode("{\"healthReports\":[" + bad + "," + other + "]}");
    assertThat(status.problems())
        .as(name)
        .containsExactly(
            new Problem(
                problem.contains("nodeName")
                    ? "healthReports[0]"
                    : "the health report of node node-a",
                problem));
    assertThat(status.reports()).extracting(HealthReport::node).containsExactly("node-b");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # case                 | preflight                                                             | problem
          a short hash           | {"observedConfigHash":"short"}                                        | is not 8 characters of base64url
          a long hash            | {"observedConfigHash":"TOOLONGXX"}                                    | is not 8 characters of base64url
          a hash of other signs  | {"observedConfigHash":"AA!@#$%^"}                                     | is not 8 characters of base64url
          an unknown result      | {"result":{"status":"Unknown","configHash":"AQAAAA=="}}               | has an unknown status
          a result of nothing    | {"result":{"status":"Failed"}}                                        | is not 8 characters of base64url
          an empty KEK           | {"result":{"status":"Failed","configHash":"AQAAAA==","remoteKeyID":""}} | has a remoteKeyID that is not 1 to 1024 characters
          a time that is none    | {"result":{"status":"Failed","configHash":"AQAAAA==","time":"x"}} | has an invalid time
          """)
  void aBadPreflightIsTold(String name, String preflight, String problem) {
    var status = EncryptionStatusCodec.decode("{\"preflight\":" + preflight + "}");
    assertThat(status.preflightProblems())
        .as(name)
        .extracting(Problem::what)
        .containsExactly(problem);
    assertThat(status.problems()).isEmpty();
    assertThat(status.result()).isEmpty();
    assertThat(status.observed()).isEmpty();
  }

  @Test
  void tooManyAndTwiceAreTold() {
    var twice = EncryptionStatusCodec.decode("{\"healthReports\":[" + GOOD + "," + GOOD + "]}");
    assertThat(twice.problems())
        .containsExactly(
            new Problem(
                "the health report of node node-a",
                "is a second report for the same node and key"));
    String many = String.join(",", Collections.nCopies(201, GOOD));
    assertThat(EncryptionStatusCodec.decode("{\"healthReports\":[" + many + "]}").problems())
        .contains(new Problem("healthReports", "has more than 200 entries"));
    assertThat(EncryptionStatusCodec.decode("{\"healthReports\":5}").problems())
        .containsExactly(new Problem("healthReports", "is not a list"));
    assertThat(EncryptionStatusCodec.decode("[]").problems())
        .containsExactly(new Problem("encryptionStatus", "is not an object"));
  }
}
