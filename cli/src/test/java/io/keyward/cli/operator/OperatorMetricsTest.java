package io.keyward.cli.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Activity;
import io.keyward.core.model.Bytes;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KmsEndpoint;
import io.keyward.core.model.KmsKey;
import io.keyward.core.model.Migrated;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.ReferenceData;
import io.keyward.core.model.Rollout;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.Wanted;
import io.keyward.kube.MigrationProgress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Names and labels that dashboards rely on, letter by letter.
final class OperatorMetricsTest {
  private Instant now = Instant.parse("2026-01-02T03:04:05Z");
  private long nanos = Long.MAX_VALUE - 1;
  private final OperatorMetrics metrics =
      new OperatorMetrics(
          () -> now, () -> nanos, () -> Map.of("secrets", new MigrationProgress(500, 2000, 250)));

  private ObservedState state(HealthReport.Status... reports) {
    var key =
        new Key(
            new KeySerial(3),
            Mode.KMS,
            Bytes.copyOf(new byte[16]),
            true,
            Optional.of(
                new KmsKey(
                    new KmsEndpoint("v2", "unix:///run/a.sock", "10s"),
                    Optional.empty(),
                    ReferenceData.NONE,
                    ReferenceData.NONE)),
            Migrated.NOTHING,
            "",
            "");
    var all = new ArrayList<HealthReport>();
    for (HealthReport.Status status : reports) {
      all.add(
          new HealthReport(
              "n" + all.size(),
              key.serial(),
              status,
              now,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              ""));
    }
    return new ObservedState(
        now,
        "kube-apiserver",
        new Wanted(Mode.KMS, Optional.empty(), "", Optional.empty(), new TreeSet<>()),
        new Stored(List.of(key), List.of(), Optional.empty()),
        new Rollout.Stuck("test"),
        new Activity(new TreeMap<>(), PreflightState.NONE, all, Optional.empty()),
        List.of(),
        Settings.DEFAULT);
  }

  private String text() throws IOException {
    return new String(metrics.text(), UTF_8);
  }

  @Test
  void tellsOfTurnsAndMigrations() throws IOException {
    metrics.turned("kube-apiserver", state(), Set.of("key"));
    metrics.noTurn("kube-apiserver");
    assertThat(text())
        .contains(
            "keyward_operator_turns_total{component=\"kube-apiserver\",outcome=\"done\"} 1.0",
            "keyward_operator_turns_total{component=\"kube-apiserver\",outcome=\"failed\"} 1.0",
            "keyward_operator_failures_total{component=\"kube-apiserver\",part=\"key\"} 1.0",
            "keyward_migration_objects_done{resource=\"secrets\"} 500.0",
            "keyward_migration_objects{resource=\"secrets\"} 2000.0",
            "keyward_migration_seconds_left{resource=\"secrets\"} 6.0");
  }

  @Test
  void onePluginThatIsUnwellMakesTheEndpointUnwell() throws IOException {
    metrics.turned("kube-apiserver", state(HealthReport.Status.HEALTHY), Set.of());
    assertThat(text()).contains("kms_plugin_status_healthy{endpoint=\"unix:///run/a.sock\"} 1.0");
    metrics.turned(
        "kube-apiserver", state(HealthReport.Status.HEALTHY, HealthReport.Status.ERROR), Set.of());
    assertThat(text()).contains("kms_plugin_status_healthy{endpoint=\"unix:///run/a.sock\"} 0.0");
    now = now.plus(Duration.ofMinutes(10));
    assertThat(text()).doesNotContain("kms_plugin_status_healthy{");
  }

  @Test
  void turnsThatStoppedAreNotHealthy() throws IOException, InterruptedException {
    var anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var server = new MetricsServer(anywhere, metrics);
        var client = HttpClient.newHttpClient()) {
      URI root = URI.create("http://127.0.0.1:" + server.address().getPort());
      var health = HttpRequest.newBuilder(root.resolve("/healthz")).build();
      // It does not lead: nothing is wrong with that.
      assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()).body())
          .isEqualTo("ok\n");
      metrics.noTurn("kube-apiserver");
      now = now.plus(Duration.ofDays(400));
      assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()).body())
          .as("the wall clock was set")
          .isEqualTo("ok\n");
      nanos += Duration.ofMinutes(11).toNanos();
      HttpResponse<String> answer = client.send(health, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("kube-apiserver");
      var scrape = HttpRequest.newBuilder(root.resolve("/metrics")).build();
      assertThat(client.send(scrape, HttpResponse.BodyHandlers.ofString()).body())
          .contains("keyward_operator_turns_total");
      metrics.rest();
      assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()).body())
          .as("another one leads")
          .isEqualTo("ok\n");
    }
  }
}
