package io.keyward.kms.plugin.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.plugin.service.CallObserver;
import io.keyward.kms.plugin.service.Operation;
import io.keyward.kms.spi.KekId;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The metrics of one key that are written on every call. Looked up once, so that a call costs no
/// search for its labels.
public final class KeyMetrics implements CallObserver {
  private final String key;
  private final PluginMetrics metrics;
  private final DistributionDataPoint statusTimes;
  private final DistributionDataPoint encryptTimes;
  private final DistributionDataPoint decryptTimes;
  private final CounterDataPoint encrypts;
  private final CounterDataPoint decrypts;

  KeyMetrics(String key, PluginMetrics metrics) {
    this.key = key;
    this.metrics = metrics;
    statusTimes = metrics.durations().labelValues(key, Operation.STATUS.label());
    encryptTimes = metrics.durations().labelValues(key, Operation.ENCRYPT.label());
    decryptTimes = metrics.durations().labelValues(key, Operation.DECRYPT.label());
    encrypts = metrics.encrypts().labelValues(key);
    decrypts = metrics.decrypts().labelValues(key);
  }

  @Override
  public void finished(Operation operation, String code, long nanos) {
    double seconds = nanos / 1e9;
    switch (operation) {
      case STATUS -> statusTimes.observe(seconds);
      case ENCRYPT -> {
        encrypts.inc();
        encryptTimes.observe(seconds);
      }
      case DECRYPT -> {
        decrypts.inc();
        decryptTimes.observe(seconds);
      }
    }
    if (!code.equals("OK")) {
      metrics.errors().labelValues(key, operation.label(), code).inc();
    }
  }

  /// The form in which API servers show key ids in their own metrics, so that both can be joined.
  static String hash(KekId id) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.value().getBytes(UTF_8));
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
