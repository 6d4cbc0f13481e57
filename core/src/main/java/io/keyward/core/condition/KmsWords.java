package io.keyward.core.condition;

import io.keyward.core.health.HealthDecision.Degraded;
import io.keyward.core.health.HealthDecision.Healthy;
import io.keyward.core.health.HealthDecision.NotKms;
import io.keyward.core.health.HealthDecision.NotYetObserved;
import io.keyward.core.health.HealthDecision.Stale;
import io.keyward.core.model.Key;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.rotation.RotationDecision.Disagree;
import io.keyward.core.rotation.RotationDecision.NotApplicable;
import io.keyward.core.rotation.RotationDecision.Remigrate;
import io.keyward.core.rotation.RotationDecision.Settling;
import io.keyward.core.rotation.RotationDecision.Silent;
import io.keyward.core.rotation.RotationDecision.Steady;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What is said about KMS plugins and the keys behind them.
final class KmsWords {
  private KmsWords() {}

  static Words plugins(Decisions decisions) {
    String type = "KMSPluginsDegraded";
    return switch (decisions.health()) {
      case NotKms _ -> Words.no(type);
      case Healthy _ -> Words.no(type, "AsExpected", "all KMS plugins are healthy");
      case NotYetObserved(var missing, _) ->
          Words.unknown(type, "NotYetObserved", "no report yet: " + String.join(", ", missing));
      case Stale(var plugins, _) ->
          Words.unknown(type, "StaleReports", "reports are too old: " + String.join(", ", plugins));
      case Degraded(var plugins, _) ->
          Words.yes(type, "PluginsUnhealthy", "not healthy: " + String.join(", ", plugins));
    };
  }

  static Words rotation(Decisions decisions) {
    String type = "EncryptionKEKRotationProgressing";
    return switch (decisions.rotation()) {
      case NotApplicable _ -> Words.no(type);
      case Steady(var kek) -> Words.no(type, "AsExpected", "all data is recorded under KEK " + kek);
      case Settling(var kek, var until) ->
          Words.yes(
              type,
              "KEKSettling",
              "all nodes report KEK " + kek + "; this counts from " + until + " on");
      case Disagree(var nodes) ->
          Words.yes(
              type,
              "KEKsDiffer",
              "nodes report different KEKs: " + nodes + "; nothing is rewritten");
      case Silent(var nodes, _) ->
          Words.unknown(
              type, "NodesSilent", "no fresh healthy report from " + String.join(", ", nodes));
      case Remigrate(var kek, var resources) ->
          Words.yes(
              type,
              "MigratingToKEK",
              "rewriting " + String.join(", ", resources) + " under KEK " + kek);
    };
  }

  /// Tells when a KMS that is no longer written to can be switched off, and what that costs.
  static Words retirement(ObservedState seen) {
    String type = "KMSDecommissionable";
    var ring = seen.ring();
    Optional<Key> newestKey = ring.newest();
    if (newestKey.isEmpty() || seen.deployed().isEmpty()) {
      return Words.no(type);
    }
    Key newest = newestKey.orElseThrow();
    List<Key> former =
        ring.keys().stream()
            .filter(key -> key.mode() == Mode.KMS && !isStillAsked(key, newest))
            .toList();
    if (former.isEmpty()) {
      return Words.no(type);
    }
    var running = seen.deployed().orElseThrow().keys();
    String names = names(former);
    String written = names(former.stream().filter(key -> !key.isRetracted()).toList());
    boolean free =
        former.stream()
            .noneMatch(key -> running.stream().anyMatch(r -> r.serial().equals(key.serial())));
    return free
        ? Words.yes(
            type,
            "NoLongerConfigured",
            "no instance needs "
                + names
                + "; "
                + (written.isEmpty()
                    ? "nothing was written with it"
                    : "backups made before still need "
                        + (written.equals(names) ? "it" : written)
                        + " to be restored"))
        : Words.no(
            type,
            "StillConfigured",
            names + " can be read until its retention is over; do not remove the KMS key yet");
  }

  private static String names(List<Key> keys) {
    return keys.stream().map(Key::label).collect(Collectors.joining(", "));
  }

  /// A newer key under the same remote key does not free that remote key.
  private static boolean isStillAsked(Key key, Key newest) {
    return key.serial().equals(newest.serial())
        || (newest.mode() == Mode.KMS
            && key.kms()
                .flatMap(k -> k.remoteKey())
                .equals(newest.kms().flatMap(k -> k.remoteKey())));
  }

  static Words upgradeable(ObservedState seen) {
    String type = "EncryptionUpgradeable";
    boolean kms =
        seen.ring().keys().stream()
            .filter(key -> key.mode() == Mode.KMS)
            .anyMatch(key -> isInUse(key, seen));
    return kms && !seen.settings().releaseBeforeReadsKms()
        ? Words.no(
            type,
            "KMSActive",
            "the older release cannot read data under a KMS; migrate to another type first")
        : Words.yes(type, "AsExpected", "");
  }

  private static boolean isInUse(Key key, ObservedState seen) {
    return seen.deployed().stream()
        .flatMap(layout -> layout.keys().stream())
        .anyMatch(used -> used.serial().equals(key.serial()));
  }
}
