package io.keyward.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.migration.MigrationProgress;
import io.keyward.core.model.Activity;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.view.SiteView;
import io.keyward.engine.SiteId;
import io.keyward.kube.migrate.Migrator;
import io.keyward.serve.ListenSettings;
import io.keyward.serve.ReportServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Names and labels that dashboards rely on, letter by letter.
final class OperatorMetricsTest {
  private static final SiteId SITE = SiteId.of("kube-apiserver");
  private static final Migrator.Work WORK = new Migrator.Work(SITE, new Resource("", "secrets"));

  private static final String HEALTHY =
      "kms_plugin_status_healthy{cluster=\"\",component=\"kube-apiserver\","
          + "endpoint=\"unix:///run/a.sock\"} ";

  private Instant now = Instant.parse("2026-01-02T03:04:05Z");
  private long nanos = Long.MAX_VALUE - 1;
  private final OperatorMetrics metrics =
      new OperatorMetrics(
          () -> now, () -> nanos, () -> Map.of(WORK, new MigrationProgress(500, 2000, 250)));

  private ObservedState state(HealthReport.Status... reports) {
    var key =
        new Key(
            new KeySerial(3),
            Mode.KMS,
            KeyMaterial.copyOf(new byte[16]),
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
        new RequestedEncryption(Mode.KMS, Optional.empty(), "", Optional.empty(), new TreeSet<>()),
        new Stored(List.of(key), List.of(), Optional.empty()),
        new Rollout.Stuck("test"),
        new Activity(new TreeMap<>(), PreflightState.NONE, all, Optional.empty()),
        List.of(),
        Settings.DEFAULT);
  }

  private String text() throws IOException {
    return metrics.metrics();
  }

  @Test
  void tellsOfTurnsAndMigrations() throws IOException {
    metrics.turned(SITE, SiteView.of(state()), Set.of("key"));
    metrics.noTurn(SITE);
    assertThat(text())
        .contains(
            "keyward_operator_turns_total{cluster=\"\",component=\"kube-apiserver\",outcome=\"done\"} 1.0",
            "keyward_operator_turns_total{cluster=\"\",component=\"kube-apiserver\",outcome=\"failed\"} 1.0",
            "keyward_operator_failures_total{cluster=\"\",component=\"kube-apiserver\",part=\"key\"} 1.0",
            "keyward_migration_objects_done{cluster=\"\",component=\"kube-apiserver\",resource=\"secrets\"} 500.0",
            "keyward_migration_objects{cluster=\"\",component=\"kube-apiserver\",resource=\"secrets\"} 2000.0",
            "keyward_migration_seconds_left{cluster=\"\",component=\"kube-apiserver\",resource=\"secrets\"} 6.0");
  }

  @Test
  void onePluginThatIsUnwellMakesTheEndpointUnwell() throws IOException {
    metrics.turned(SITE, SiteView.of(state(HealthReport.Status.HEALTHY)), Set.of());
    assertThat(text()).contains(HEALTHY + "1.0");
    metrics.turned(
        SITE, SiteView.of(state(HealthReport.Status.HEALTHY, HealthReport.Status.ERROR)), Set.of());
    assertThat(text()).contains(HEALTHY + "0.0");
    now = now.plus(Duration.ofMinutes(10));
    assertThat(text()).doesNotContain("kms_plugin_status_healthy{");
  }

  /// One API server of this cluster, and the kube-apiservers of two hosted clusters. All of them
  /// migrate secrets, and all use a socket of the same name.
  @Test
  void sitesShareNoSeries() throws IOException {
    var sites =
        List.of(
            SITE,
            SiteId.of("openshift-apiserver"),
            new SiteId("prod-17", SITE.apiServer()),
            new SiteId("prod-18", SITE.apiServer()));
    var running = new HashMap<Migrator.Work, MigrationProgress>();
    Set<String> all = new TreeSet<>();
    var several = new OperatorMetrics(() -> now, () -> nanos, () -> Map.copyOf(running));
    for (SiteId site : sites) {
      int before = all.size();
      several.turned(site, SiteView.of(state(HealthReport.Status.HEALTHY)), Set.of("key"));
      several.noTurn(site);
      running.put(
          new Migrator.Work(site, new Resource("", "secrets")), new MigrationProgress(1, 2, 1));
      all =
          several
              .metrics()
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.substring(0, line.lastIndexOf(' ')))
              .collect(Collectors.toCollection(TreeSet::new));
      // Turns done and failed, failures, health, and three of the migration.
      assertThat(all).as("with %s", site).hasSize(before + 7);
    }
    assertThat(several.metrics().lines().filter(line -> line.startsWith("keyward_operator_")))
        .allSatisfy(line -> assertThat(line).endsWith(" 1.0"));
  }

  @Test
  void turnsThatStoppedAreNotHealthy() throws IOException, InterruptedException {
    try (var server = ReportServer.start(ListenSettings.loopback(0), metrics);
        var client = HttpClient.newHttpClient()) {
      URI root = URI.create(server.url());
      var health = HttpRequest.newBuilder(root.resolve("/healthz")).build();
      // It does not lead: nothing is wrong with that.
      assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()).body())
          .isEqualTo("ok\n");
      metrics.noTurn(SITE);
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
      metrics.removed(SITE);
      assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()).body())
          .as("another one leads")
          .isEqualTo("ok\n");
    }
  }
}
