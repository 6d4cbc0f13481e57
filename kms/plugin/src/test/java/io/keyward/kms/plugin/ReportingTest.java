package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.tck.FakeKms.Mood;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a KMS says about its key reaches metrics, log and reasons, and costs no request anything.
final class ReportingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private PluginFixture fixture;
  private final Lines lines = new Lines();
  private final Logger log = Logger.getLogger("io.keyward.kms.plugin.health.KeyWatch");

  private static final class Lines extends Handler {
    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord event) {
      seen.add(new java.util.logging.SimpleFormatter().formatMessage(event));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void prepare() {
    fixture = new PluginFixture(directory);
    log.addHandler(lines);
  }

  @AfterEach
  void close() {
    fixture.close();
    log.removeHandler(lines);
  }

  private static KekReport report(State state, Optional<Instant> until, List<String> warnings) {
    return new KekReport(state, until, until, warnings);
  }

  @Test
  void stateAndEndsAreMetrics() {
    fixture.key("payments", Mood.GOOD).start();
    assertThat(fixture.get("/metrics")).doesNotContain("kms_key_remaining_seconds{");
    var until = Optional.of(Instant.now().plus(Duration.ofHours(100)));
    fixture.kms("payments").reportAs(report(State.PENDING_DELETION, until, List.of()));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(fixture.get("/metrics"))
                .contains("kms_key_state{key=\"payments\",state=\"pending_deletion\"} 1.0")
                .contains("kms_key_state{key=\"payments\",state=\"enabled\"} 0.0")
                .containsPattern("kms_key_remaining_seconds\\{key=\"payments\"} 35\\d{4}\\.")
                .containsPattern("kms_credentials_remaining_seconds\\{key=\"payments\"} 35\\d{4}")
                .contains("kms_key_warnings{key=\"payments\"} 2.0")
                .contains("kms_last_report_timestamp_seconds{key=\"payments\"}"));
    assertThat(fixture.get("/healthz"))
        .startsWith("payments: ok\n")
        .contains("payments: warning: the KMS reports that the key waits for its deletion")
        .contains("less than 7 days");
  }

  @Test
  void aWarningIsOneLineWhenItComesAndOneWhenItGoes() {
    fixture.key("payments", Mood.GOOD).start();
    fixture
        .kms("payments")
        .reportAs(report(State.ENABLED, Optional.empty(), List.of("the token cannot renew")));
    await().atMost(PATIENCE).until(() -> count("key payments: the token cannot renew") == 1);
    int reports = fixture.kms("payments").reports();
    await().atMost(PATIENCE).until(() -> fixture.kms("payments").reports() > reports + 3);
    assertThat(count("key payments: the token cannot renew")).isEqualTo(1);
    fixture.kms("payments").reportAs(report(State.ENABLED, Optional.empty(), List.of()));
    await()
        .atMost(PATIENCE)
        .until(() -> count("key payments: no longer true: the token cannot renew") == 1);
  }

  private long count(String line) {
    return lines.seen.stream().filter(line::equals).count();
  }

  @Test
  void statusSaysWhatTheKmsSaysAboutAKeyThatFails() {
    KmsV2Client client = fixture.key("payments", Mood.GOOD).start().client("payments");
    await().atMost(PATIENCE).until(() -> client.status(PATIENCE).isHealthy());
    fixture.kms("payments").reportAs(report(State.DISABLED, Optional.empty(), List.of()));
    await().atMost(PATIENCE).until(() -> fixture.get("/healthz").contains("is disabled"));
    assertThat(client.status(PATIENCE).isHealthy()).as("it still works").isTrue();
    fixture.kms("payments").forbidCalls();
    await().atMost(PATIENCE).until(() -> !client.status(PATIENCE).isHealthy());
    assertThat(client.status(PATIENCE).healthz())
        .contains("the fake KMS forbids the key")
        .contains("the KMS reports that the key is disabled; enable it again");
  }

  @Test
  void aReportThatHangsHoldsNothingUp() {
    KmsV2Client client =
        fixture
            .key("payments", new Mood(Duration.ofMinutes(5), Optional.empty(), true))
            .start()
            .client("payments");
    assertThat(client.status(Duration.ofSeconds(5)).version()).isEqualTo("v2");
    assertThat(fixture.get("/readyz")).isEqualTo("ok\n");
  }

  @Test
  void noRequestAsksForAReport() {
    KmsV2Client client =
        fixture
            .reportInterval(Duration.ofHours(1))
            .key("payments", Mood.GOOD)
            .start()
            .client("payments");
    await().atMost(PATIENCE).until(() -> client.status(PATIENCE).isHealthy());
    await().atMost(PATIENCE).until(() -> fixture.kms("payments").reports() > 0);
    int before = fixture.kms("payments").reports();
    for (int i = 0; i < 50; i++) {
      client.status(PATIENCE);
      fixture.get("/metrics");
    }
    // One more is allowed: the health has just turned good.
    assertThat(fixture.kms("payments").reports()).isLessThanOrEqualTo(before + 1);
  }
}
