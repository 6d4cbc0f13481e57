package io.keyward.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An answer is `version/healthz/key_id`. The last report is its KEK.
final class ProbeReaderTest {
  private static final Instant BEFORE = Notation.NOW.minusSeconds(30);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                               | probe          | last | status    | KEK | detail
          well                                 | v2/ok/A        | -    | HEALTHY   | A   | -
          well, the older name of the version  | v2beta1/ok/A   | -    | HEALTHY   | A   | -
          the call failed                      | error          | -    | ERROR     | -   | connection refused
          W1 the call failed, the KEK is known | error          | A    | ERROR     | A   | connection refused
          nothing came back                    | nothing        | A    | ERROR     | A   | kms plugin returned nil status response
          not well                             | v2/sealed/     | A    | UNHEALTHY | A   | sealed
          W1 not well, and still tells its KEK | v2/sealed/B    | A    | UNHEALTHY | B   | sealed
          W1 no key_id                         | v2/ok/         | A    | UNHEALTHY | A   | the plugin sent no key_id
          W1 another version                   | v1/ok/A        | -    | UNHEALTHY | A   | the plugin speaks version "v1", not v2
          no healthz                           | v2//A          | -    | UNHEALTHY | A   | the plugin sent no healthz
          another KEK                          | v2/ok/B        | A    | HEALTHY   | B   | -
          """)
  void reads(String name, String probe, String last, String status, String kek, String detail) {
    HealthReport report =
        ProbeReader.read("a", new KeySerial(1), probe(probe), last(last), Notation.NOW);
    assertThat(report.status().name()).as(name).isEqualTo(status);
    assertThat(report.kek().map(KekId::value).orElse("-")).isEqualTo(kek);
    assertThat(report.detail().isEmpty() ? "-" : report.detail()).isEqualTo(detail);
    assertThat(report.lastChecked()).isEqualTo(Notation.NOW);
  }

  @Test
  void w1ADetailIsCutToWhatTheSchemaAllows() {
    HealthReport report =
        ProbeReader.read(
            "a",
            new KeySerial(1),
            new Probe.Failure("x".repeat(5000)),
            Optional.empty(),
            Notation.NOW);
    assertThat(report.detail()).hasSize(1024).endsWith("…");
  }

  @Test
  void w1AKeyIdThatIsTooLongIsUnhealthyAndNotStored() {
    HealthReport report =
        ProbeReader.read(
            "a",
            new KeySerial(1),
            new Probe.Answer("v2", "ok", "x".repeat(1024)),
            last("A"),
            Notation.NOW);
    assertThat(report.status()).isEqualTo(HealthReport.Status.UNHEALTHY);
    assertThat(report.kek()).contains(new KekId("A"));
  }

  @Test
  void w4AMonitorRemembersWhatWasBefore() {
    HealthReport same =
        ProbeReader.read("a", new KeySerial(1), probe("v2/ok/A"), last("A"), Notation.NOW);
    assertThat(same.kekSince()).contains(BEFORE);
    assertThat(same.kekBefore()).isEmpty();
    HealthReport other =
        ProbeReader.read("a", new KeySerial(1), probe("v2/ok/B"), last("A"), Notation.NOW);
    assertThat(other.kekSince()).contains(Notation.NOW);
    assertThat(other.kekBefore()).contains(new KekId("A"));
    HealthReport still =
        ProbeReader.read(
            "a",
            new KeySerial(1),
            probe("error"),
            Optional.of(other),
            Notation.NOW.plusSeconds(30));
    assertThat(still.kekBefore()).contains(new KekId("A"));
    assertThat(still.kekSince()).contains(Notation.NOW);
    assertThat(still.statusSince()).contains(Notation.NOW.plusSeconds(30));
  }

  private static Probe probe(String text) {
    return switch (text) {
      case "error" -> new Probe.Failure("connection refused");
      case "nothing" -> new Probe.Nothing();
      default -> {
        String[] words = text.split("/", -1);
        yield new Probe.Answer(words[0], words[1], words[2]);
      }
    };
  }

  private static Optional<HealthReport> last(String kek) {
    return kek.equals("-")
        ? Optional.empty()
        : Optional.of(
            new HealthReport(
                "a",
                new KeySerial(1),
                HealthReport.Status.HEALTHY,
                BEFORE,
                Optional.of(new KekId(kek)),
                Optional.of(BEFORE),
                Optional.of(BEFORE),
                ""));
  }
}
