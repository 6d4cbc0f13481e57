package io.keyward.core.health;

import io.keyward.core.health.HealthDecision.Degraded;
import io.keyward.core.health.HealthDecision.Healthy;
import io.keyward.core.health.HealthDecision.NotKms;
import io.keyward.core.health.HealthDecision.NotYetObserved;
import io.keyward.core.health.HealthDecision.Orphan;
import io.keyward.core.health.HealthDecision.Stale;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.rollout.Rollout.Converged;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Rolls the reports of all monitors up. Bad beats stale, stale beats missing.
public final class HealthDecider {
  private HealthDecider() {}

  public static HealthDecision decide(ObservedState seen) {
    var serials = new TreeSet<KeySerial>();
    seen.deployed().ifPresent(layout -> addKms(serials, layout));
    seen.stored().published().ifPresent(layout -> addKms(serials, layout));
    List<Orphan> orphans = orphans(seen, serials);
    if (serials.isEmpty()) {
      return new NotKms(orphans);
    }
    var bad = new ArrayList<String>();
    var stale = new ArrayList<String>();
    for (HealthReport report : seen.activity().reports()) {
      if (serials.contains(report.serial()) && !orphans.contains(orphan(report))) {
        if (!report.isFresh(seen.at(), seen.settings())) {
          stale.add(name(report));
        } else if (report.isConfirmedBad(seen.at(), seen.settings())) {
          bad.add(name(report));
        }
      }
    }
    return rollUp(bad, stale, missing(seen, serials), orphans);
  }

  private static HealthDecision rollUp(
      List<String> bad, List<String> stale, List<String> missing, List<Orphan> orphans) {
    if (!bad.isEmpty()) {
      return new Degraded(List.copyOf(bad), orphans);
    }
    if (!stale.isEmpty()) {
      return new Stale(List.copyOf(stale), orphans);
    }
    return missing.isEmpty() ? new Healthy(orphans) : new NotYetObserved(missing, orphans);
  }

  private static void addKms(SortedSet<KeySerial> serials, EncryptionLayout layout) {
    for (Key key : layout.keys()) {
      if (key.mode() == Mode.KMS) {
        serials.add(key.serial());
      }
    }
  }

  /// Of nodes that are gone, and of keys that no configuration holds. While instances change, which
  /// nodes there are is not known, so nothing is called an orphan for its node.
  private static List<Orphan> orphans(ObservedState seen, SortedSet<KeySerial> serials) {
    return seen.activity().reports().stream()
        .filter(report ->
            (seen.isConverged() && !serials.contains(report.serial()))
                || (seen.rollout() instanceof Converged converged
                    && !converged.nodes().contains(report.node())))
        .filter(report -> !isEvidence(report, seen))
        .map(HealthDecider::orphan)
        .toList();
  }

  /// A node that is gone may have written under another KEK than the one that is recorded. Its
  /// report stays until that record is taken back.
  private static boolean isEvidence(HealthReport report, ObservedState seen) {
    for (Resource resource : seen.wanted().resources()) {
      Migrated done =
          seen.deployed()
              .filter(layout -> layout.stack(resource).writes(report.serial()))
              .flatMap(_ -> seen.ring().find(report.serial()))
              .map(Key::migrated)
              .orElse(Migrated.NOTHING);
      Instant since = done.kekSince().get(resource);
      KekId recorded = done.keks().get(resource);
      if (recorded != null && since != null && report.tellsOfAnother(recorded, since)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> missing(ObservedState seen, SortedSet<KeySerial> serials) {
    var missing = new ArrayList<String>();
    if (seen.rollout() instanceof Converged converged) {
      var running = new TreeSet<KeySerial>();
      converged.layout().ifPresent(layout -> addKms(running, layout));
      running.retainAll(serials);
      for (String node : converged.nodes()) {
        for (KeySerial serial : running) {
          if (seen.activity().reports().stream()
              .noneMatch(r -> r.node().equals(node) && r.serial().equals(serial))) {
            missing.add("key " + serial + " on " + node);
          }
        }
      }
    }
    return List.copyOf(missing);
  }

  private static Orphan orphan(HealthReport report) {
    return new Orphan(report.node(), report.serial());
  }

  private static String name(HealthReport report) {
    return "key " + report.serial() + " on " + report.node();
  }
}
