package io.keyward.core.rotation;

import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.KekId;
import io.keyward.core.model.Key;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Rollout.Converged;
import io.keyward.core.rotation.RotationDecision.Disagree;
import io.keyward.core.rotation.RotationDecision.NotApplicable;
import io.keyward.core.rotation.RotationDecision.Remigrate;
import io.keyward.core.rotation.RotationDecision.Settling;
import io.keyward.core.rotation.RotationDecision.Silent;
import io.keyward.core.rotation.RotationDecision.Steady;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Decides whether the KMS rotated its key. KEK convergence is asked apart from revision
/// convergence: instances of one revision may well see different versions for a while.
public final class RotationDecider {
  private RotationDecider() {}

  public static RotationDecision decide(ObservedState seen) {
    if (!(seen.rollout() instanceof Converged converged)) {
      return new NotApplicable();
    }
    return writeKey(seen, converged)
        .<RotationDecision>map(key -> judge(seen, converged.nodes(), key))
        .orElseGet(NotApplicable::new);
  }

  /// The one KMS key that all wanted resources write with.
  private static Optional<Key> writeKey(ObservedState seen, Converged converged) {
    EncryptionLayout layout = converged.layout().orElse(EncryptionLayout.EMPTY);
    var serials = new HashSet<>();
    seen.wanted().resources().forEach(resource -> serials.add(layout.stack(resource).write()));
    return serials.size() != 1
        ? Optional.empty()
        : layout
            .stack(seen.wanted().resources().getFirst())
            .write()
            .flatMap(serial -> seen.ring().find(serial))
            .filter(key -> key.mode() == Mode.KMS && key.backed());
  }

  private static RotationDecision judge(ObservedState seen, SortedSet<String> nodes, Key key) {
    var keks = new TreeMap<String, KekId>();
    var reports = new ArrayList<HealthReport>();
    for (HealthReport report : seen.activity().reports()) {
      if (report.serial().equals(key.serial())
          && nodes.contains(report.node())
          && report.status() == HealthReport.Status.HEALTHY
          && report.isFresh(seen.at(), seen.settings())) {
        report.kek().ifPresent(kek -> keks.put(report.node(), kek));
        reports.add(report);
      }
    }
    var silent = new TreeSet<>(nodes);
    silent.removeAll(keks.keySet());
    var distinct = new HashSet<>(keks.values());
    if (distinct.size() > 1) {
      return new Disagree(keks);
    }
    if (!silent.isEmpty() || distinct.isEmpty()) {
      return new Silent(silent, keks);
    }
    return agreed(seen, key, keks.firstEntry().getValue(), reports);
  }

  private static RotationDecision agreed(
      ObservedState seen, Key key, KekId kek, List<HealthReport> reports) {
    // A monitor that does not say since when may have started a moment ago.
    Instant since =
        reports.stream()
            .map(report -> report.kekSince().orElse(seen.at()))
            .max(Instant::compareTo)
            .orElse(seen.at());
    Instant until = since.plus(seen.settings().kekSettles());
    if (seen.at().isBefore(until)) {
      return new Settling(kek, until);
    }
    var open = new TreeSet<String>();
    for (Resource resource : seen.wanted().resources()) {
      if (!kek.equals(key.migrated().keks().get(resource))) {
        open.add(resource.canonical());
      }
    }
    return open.isEmpty() ? new Steady(kek) : new Remigrate(kek, open);
  }
}
