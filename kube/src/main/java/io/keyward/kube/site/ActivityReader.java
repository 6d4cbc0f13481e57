package io.keyward.kube.site;

import io.keyward.codec.object.PreflightCodec;
import io.keyward.codec.pod.PreflightPods;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.health.ReportHistory;
import io.keyward.core.model.Activity;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.Resource;
import io.keyward.core.model.kms.PreflightState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/// Reads migrations, preflights and health reports. Remembers since when each node reports its KEK.
final class ActivityReader {
  private final long started = System.nanoTime();
  private ReportHistory history = ReportHistory.EMPTY;

  Activity read(OperatorStatus status, KubeSnapshot.Seen seen, Instant now) {
    var migrations = new TreeMap<Resource, MigrationStatus>();
    seen.migrations().forEach((resource, one) -> migrations.put(resource, one.status()));
    var running = Duration.ofNanos(System.nanoTime() - started);
    var reports = status.encryption().reports();
    history = history.after(reports, new ReportHistory.Look(now, running));
    return new Activity(
        migrations,
        new PreflightState(
            status.encryption().observed(),
            status.encryption().result(),
            PreflightCodec.run(seen.preflight(), seen.nodes())
                .or(() -> PreflightPods.run(seen.preflightPods(), seen.nodes())),
            status.encryption().others()),
        history.complete(reports),
        Optional.empty());
  }
}
