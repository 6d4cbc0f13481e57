package io.keyward.node.plugin;

import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.health.Probe;
import io.keyward.core.health.ProbeReader;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What this node says of its plugins, each time in the light of what it said before. What it said
/// before this process was started stands in the status.
public final class OwnReports {
  private final String node;
  private final Map<KeySerial, HealthReport> last = new TreeMap<>();
  private List<HealthReport> told = List.of();

  OwnReports(String node) {
    this.node = node;
  }

  /// The next report on one plugin.
  ///
  /// @param seen the status as it stands
  HealthReport next(KeySerial serial, Probe probe, OperatorStatus seen, Instant now) {
    Optional<HealthReport> before =
        Optional.ofNullable(last.get(serial)).or(() -> written(seen, serial));
    HealthReport report = ProbeReader.read(node, serial, probe, before, now);
    last.put(serial, report);
    return report;
  }

  private Optional<HealthReport> written(OperatorStatus seen, KeySerial serial) {
    return seen.encryption().reports().stream()
        .filter(one -> one.node().equals(node) && one.serial().equals(serial))
        .findFirst();
  }

  /// Whether they say more than that time went by since the last that were written. Since when
  /// something is so changes only where it was otherwise in between.
  boolean isNews(List<HealthReport> reports) {
    return !reports.stream()
        .map(OwnReports::words)
        .toList()
        .equals(told.stream().map(OwnReports::words).toList());
  }

  private static List<Object> words(HealthReport report) {
    return List.of(
        report.serial(),
        report.status(),
        report.statusSince(),
        report.kek(),
        report.kekSince(),
        report.kekBefore(),
        report.detail(),
        report.warnings());
  }

  /// They were written.
  void told(List<HealthReport> reports) {
    told = List.copyOf(reports);
  }
}
