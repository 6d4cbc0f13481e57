package io.keyward.kms.plugin.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.plugin.config.MonitorConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PluginMonitorTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final Duration TENTH = Duration.ofMillis(100);
  private static final OwnKeys NO_KEYS = new OwnKeys(Map.of(), Map.of());

  private final BlockingQueue<MonitorReport> reports = new LinkedBlockingQueue<>();

  private PluginMonitor monitor(StatusProbe probe, OwnKeys own, Duration patience, String... keys) {
    var endpoints = new TreeMap<String, String>();
    for (String key : keys) {
      endpoints.put(key, "unix:///run/" + key + ".sock");
    }
    var config = new MonitorConfig(Path.of("/unused"), Duration.ofMillis(20), "", endpoints);
    return new PluginMonitor(config, own, probe, reports::add, InstantSource.fixed(NOW), patience);
  }

  private static ProbeOutcome answer(String healthz) {
    return new ProbeOutcome.Answer(new PluginStatus("v2", healthz, "remote"));
  }

  @Test
  void reportsEveryPluginAsTheFileHasIt() throws InterruptedException {
    var own = new OwnKeys(Map.of("1", () -> List.of("the key is \"old\"")), Map.of());
    StatusProbe probe =
        (endpoint, _) ->
            endpoint.contains("/1.") ? answer("ok") : new ProbeOutcome.Failure("no socket");
    assertThat(monitor(probe, own, Duration.ofSeconds(10), "2", "1").round().json())
        .isEqualTo(
            """
            {"writtenTime":"2026-01-02T03:04:05Z","plugins":[\
            {"keyID":"1","endpoint":"unix:///run/1.sock","checkedTime":"2026-01-02T03:04:05Z",\
            "version":"v2","healthz":"ok","remoteKeyID":"remote",\
            "warnings":["the key is \\"old\\""]},\
            {"keyID":"2","endpoint":"unix:///run/2.sock","checkedTime":"2026-01-02T03:04:05Z",\
            "error":"no socket"}]}
            """);
  }

  @Test
  void aPluginThatHangsDelaysNobodyElsesResult() throws InterruptedException {
    var never = new CountDownLatch(1);
    StatusProbe probe =
        (endpoint, _) -> {
          if (endpoint.contains("/hangs")) {
            awaited(never);
          }
          return answer("ok");
        };
    MonitorReport report = monitor(probe, NO_KEYS, TENTH, "good", "hangs").round();
    assertThat(report.entries()).hasSize(2);
    assertThat(report.entries().getFirst().outcome()).isEqualTo(answer("ok"));
    assertThat(report.entries().getLast().outcome())
        .isEqualTo(
            new ProbeOutcome.Failure(
                "the plugin does not respond: no answer within 5 s; check whether it hangs"));
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aKeyThatIsLeftOutSaysWhy() throws InterruptedException {
    var own = new OwnKeys(Map.of(), Map.of("3", "setting 'address': must be https"));
    StatusProbe probe = (_, _) -> new ProbeOutcome.Failure("/run/3.sock does not exist");
    assertThat(monitor(probe, own, Duration.ofSeconds(10), "3").round().json())
        .contains("the plugin cannot serve the key: setting 'address': must be https")
        .doesNotContain("does not exist", "warnings");
  }

  @Test
  void goesOnAfterADefect() throws InterruptedException {
    StatusProbe probe =
        (_, _) -> {
          throw new IllegalStateException("a defect of the test");
        };
    try (var monitor = monitor(probe, NO_KEYS, TENTH, "1")) {
      monitor.start();
      for (int i = 0; i < 3; i++) {
        MonitorReport report = reports.poll(20, TimeUnit.SECONDS);
        assertThat(report).isNotNull();
        assertThat(report.entries().getFirst().outcome())
            .isEqualTo(new ProbeOutcome.Failure("a defect of the monitor; see its log"));
      }
    }
  }

  @Test
  void theIntervalVariesByATenth() {
    Duration ten = Duration.ofSeconds(10);
    assertThat(PluginMonitor.pause(ten, Duration.ZERO, () -> 0)).isEqualTo(Duration.ofSeconds(9));
    assertThat(PluginMonitor.pause(ten, Duration.ZERO, () -> 1)).isEqualTo(Duration.ofSeconds(11));
    assertThat(PluginMonitor.pause(ten, Duration.ofSeconds(4), () -> 0.5))
        .isEqualTo(Duration.ofSeconds(6));
    assertThat(PluginMonitor.pause(ten, Duration.ofSeconds(60), () -> 0.5))
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void healthyIsWhatAnApiServerCanUse() {
    assertThat(answer("ok").isHealthy()).isTrue();
    assertThat(answer("sealed").isHealthy()).isFalse();
    assertThat(new ProbeOutcome.Failure("none").isHealthy()).isFalse();
    assertThat(new ProbeOutcome.Answer(new PluginStatus("v1", "ok", "k")).isHealthy()).isFalse();
    assertThat(new ProbeOutcome.Answer(new PluginStatus("v2", "ok", "")).isHealthy()).isFalse();
  }
}
