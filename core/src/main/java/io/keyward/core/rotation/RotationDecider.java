package io.keyward.core.rotation;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.KekObservation;
import io.keyward.core.model.rollout.Rollout.Converged;
import io.keyward.core.rotation.RotationDecision.Disagree;
import io.keyward.core.rotation.RotationDecision.NotApplicable;
import io.keyward.core.rotation.RotationDecision.Remigrate;
import io.keyward.core.rotation.RotationDecision.Settling;
import io.keyward.core.rotation.RotationDecision.Silent;
import io.keyward.core.rotation.RotationDecision.Steady;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

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

  /// What the migration decision may rely on: the decision, and what every report tells of the
  /// past.
  public static KekObservation sight(ObservedState seen, RotationDecision decision) {
    return switch (decision) {
      case Steady(var kek) -> settled(seen, kek);
      case Remigrate(var kek, _) -> settled(seen, kek);
      case Settling(var kek, _) -> unsettled(seen, Set.of(kek));
      case Disagree(var nodes) -> unsettled(seen, new HashSet<>(nodes.values()));
      case Silent(_, var nodes) -> unsettled(seen, new HashSet<>(nodes.values()));
      case NotApplicable _ -> KekObservation.NONE;
    };
  }

  private static KekObservation settled(ObservedState seen, KekId kek) {
    var since = writeKey(seen).map(key -> latestSince(seen, trusted(seen, key)));
    return new KekObservation(Optional.of(kek), since, Set.of(kek), reports(seen));
  }

  private static KekObservation unsettled(ObservedState seen, Set<KekId> keks) {
    return new KekObservation(Optional.empty(), Optional.empty(), keks, reports(seen));
  }

  private static List<HealthReport> reports(ObservedState seen) {
    return writeKey(seen)
        .map(key ->
            seen.activity().reports().stream()
                .filter(report -> report.serial().equals(key.serial()))
                .toList())
        .orElse(List.of());
  }

  private static Optional<Key> writeKey(ObservedState seen) {
    return seen.rollout() instanceof Converged converged
        ? writeKey(seen, converged)
        : Optional.empty();
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
    for (HealthReport report : trusted(seen, key)) {
      report.kek().ifPresent(kek -> keks.put(report.node(), kek));
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
    return agreed(seen, key, keks.firstEntry().getValue());
  }

  /// Fresh and healthy, from nodes that run an instance.
  private static List<HealthReport> trusted(ObservedState seen, Key key) {
    var nodes =
        seen.rollout() instanceof Converged converged ? converged.nodes() : new TreeSet<String>();
    return seen.activity().reports().stream()
        .filter(report ->
            report.serial().equals(key.serial())
                && nodes.contains(report.node())
                && report.status() == HealthReport.Status.HEALTHY
                && report.isFresh(seen.at(), seen.settings()))
        .toList();
  }

  /// A monitor that does not say since when may have started a moment ago.
  private static Instant latestSince(ObservedState seen, List<HealthReport> reports) {
    return latest(seen, reports, report -> report.kekSince().orElse(seen.at()));
  }

  private static Instant latest(
      ObservedState seen, List<HealthReport> reports, Function<HealthReport, Instant> time) {
    return reports.stream().map(time).max(Instant::compareTo).orElse(seen.at());
  }

  private static RotationDecision agreed(ObservedState seen, Key key, KekId kek) {
    Duration settles = seen.settings().kekSettles();
    List<HealthReport> reports = trusted(seen, key);
    Instant settlesFrom = latest(seen, reports, one -> one.kekSinceAtLatest(seen.at()));
    if (seen.at().isBefore(settlesFrom.plus(settles))) {
      // The time in the condition does not move with the clock: each new text is a write.
      Instant shown =
          latest(
              seen, reports, one -> one.changeSeen().or(one::kekSince).orElse(one.lastChecked()));
      return new Settling(kek, shown.plus(settles));
    }
    var open = new TreeSet<String>();
    for (Resource resource : seen.wanted().resources()) {
      if (!key.migrated().kek(resource).equals(Optional.of(kek))) {
        open.add(resource.canonical());
      }
    }
    return open.isEmpty() ? new Steady(kek) : new Remigrate(kek, open);
  }
}
