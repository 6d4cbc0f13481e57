package io.keyward.kms.plugin.report;

import io.keyward.kms.plugin.health.KeyHealth;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.spi.KekReport;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// All metrics of a plugin. Names and labels are a public interface; a golden test holds them.
public final class PluginMetrics {
  /// From 100 µs, where calls to a key in memory end, to beyond every time-out.
  private static final double[] BUCKETS = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Map<String, KeyWatch> watches = new ConcurrentSkipListMap<>();
  private final Map<String, LongSupplier> cacheHits = new ConcurrentSkipListMap<>();
  private final Counter encrypts;
  private final Counter decrypts;
  private final Counter errors;
  private final Histogram durations;

  public PluginMetrics(InstantSource clock) {
    encrypts = counter("kms_encrypt_requests", "Encrypt calls answered.", "key");
    decrypts = counter("kms_decrypt_requests", "Decrypt calls answered.", "key");
    errors = counter("kms_errors", "Calls that failed, by gRPC code.", "key", "operation", "code");
    durations =
        Histogram.builder()
            .name("kms_request_duration_seconds")
            .help("How long calls took.")
            .labelNames("key", "operation")
            .classicOnly()
            .classicUpperBounds(BUCKETS)
            .register(registry);
    health(clock);
    reports(clock);
    CounterWithCallback.builder()
        .name("kms_decrypt_cache_hits")
        .help("Decrypt calls answered from the decrypt cache.")
        .labelNames("key")
        .callback(to -> cacheHits.forEach((key, hits) -> to.call((double) hits.getAsLong(), key)))
        .register(registry);
  }

  /// What calls and probes show.
  private void health(InstantSource clock) {
    gauge("kms_key_healthy", "1 while the key can be used.", List.of("key"), this::healthy);
    gauge(
        "kms_key_age_seconds",
        "How long ago this plugin first saw the current key_id.",
        List.of("key"),
        to -> age(to, clock));
    gauge(
        "kms_last_success_timestamp_seconds",
        "When a call to the KMS last succeeded.",
        List.of("key"),
        this::lastSuccess);
    gauge(
        "kms_current_key_id",
        "The current key_id, hashed as API servers do in their metrics.",
        List.of("key", "key_id_hash"),
        this::keyId);
  }

  /// What the KMS reports about its key.
  private void reports(InstantSource clock) {
    gauge(
        "kms_key_state",
        "1 for the state that the KMS last reported for the key.",
        List.of("key", "state"),
        this::state);
    gauge(
        "kms_key_remaining_seconds",
        "How long the KMS will let the key be used.",
        List.of("key"),
        to -> remaining(to, clock, KekReport::usableUntil));
    gauge(
        "kms_credentials_remaining_seconds",
        "How long the present credentials for the KMS last.",
        List.of("key"),
        to -> remaining(to, clock, KekReport::credentialsUntil));
    gauge(
        "kms_key_warnings",
        "How many warnings there are about the key; see the log or /healthz.",
        List.of("key"),
        to -> watches.forEach((key, watch) -> to.call(watch.facts().warnings().size(), key)));
    gauge(
        "kms_last_report_timestamp_seconds",
        "When the plugin last requested the KMS's report about the key.",
        List.of("key"),
        this::lastReport);
  }

  private void state(GaugeWithCallback.Callback to) {
    watches.forEach((key, watch) -> {
      KekReport.State now = watch.facts().report().state();
      for (KekReport.State state : KekReport.State.values()) {
        to.call(state == now ? 1 : 0, key, state.name().toLowerCase(Locale.ROOT));
      }
    });
  }

  private void remaining(
      GaugeWithCallback.Callback to,
      InstantSource clock,
      Function<KekReport, Optional<Instant>> end) {
    watches.forEach((key, watch) ->
        end.apply(watch.facts().report())
            .ifPresent(at -> to.call(seconds(Duration.between(clock.instant(), at)), key)));
  }

  private void lastReport(GaugeWithCallback.Callback to) {
    watches.forEach((key, watch) ->
        watch
            .facts()
            .at()
            .ifPresent(at -> to.call(seconds(Duration.between(Instant.EPOCH, at)), key)));
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  private void gauge(
      String name, String help, List<String> labels, Consumer<GaugeWithCallback.Callback> values) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(labels.toArray(String[]::new))
        .callback(values)
        .register(registry);
  }

  private void healthy(GaugeWithCallback.Callback to) {
    watches.forEach((key, watch) -> to.call(watch.now().isGood() ? 1 : 0, key));
  }

  private void age(GaugeWithCallback.Callback to, InstantSource clock) {
    watches.forEach((key, watch) -> {
      KeyHealth health = watch.now();
      if (health.kek().isPresent()) {
        to.call(seconds(Duration.between(health.kekSince(), clock.instant())), key);
      }
    });
  }

  private void lastSuccess(GaugeWithCallback.Callback to) {
    watches.forEach((key, watch) ->
        watch
            .now()
            .lastSuccess()
            .ifPresent(at -> to.call(seconds(Duration.between(Instant.EPOCH, at)), key)));
  }

  private void keyId(GaugeWithCallback.Callback to) {
    watches.forEach(
        (key, watch) -> watch.now().kek().ifPresent(id -> to.call(1, key, KeyMetrics.hash(id))));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  /// Begins to report on a key.
  public KeyMetrics key(String name, KeyWatch watch) {
    watches.put(name, watch);
    return new KeyMetrics(name, this);
  }

  /// Begins to report on a key's decrypt cache.
  public void cache(String key, LongSupplier hits) {
    cacheHits.put(key, hits);
  }

  Counter encrypts() {
    return encrypts;
  }

  Counter decrypts() {
    return decrypts;
  }

  Counter errors() {
    return errors;
  }

  Histogram durations() {
    return durations;
  }

  /// For what a plugin reports besides its keys.
  public PrometheusRegistry registry() {
    return registry;
  }
}
