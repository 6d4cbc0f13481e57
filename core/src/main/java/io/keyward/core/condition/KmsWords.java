package io.keyward.core.condition;

import io.keyward.core.health.HealthDecision.Degraded;
import io.keyward.core.health.HealthDecision.Healthy;
import io.keyward.core.health.HealthDecision.NotKms;
import io.keyward.core.health.HealthDecision.NotYetObserved;
import io.keyward.core.health.HealthDecision.Stale;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.narrator.Narrator;
import io.keyward.core.rotation.RotationDecision.Disagree;
import io.keyward.core.rotation.RotationDecision.NotApplicable;
import io.keyward.core.rotation.RotationDecision.Remigrate;
import io.keyward.core.rotation.RotationDecision.Settling;
import io.keyward.core.rotation.RotationDecision.Silent;
import io.keyward.core.rotation.RotationDecision.Steady;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    String sentence = Narrator.of(decisions.rotation());
    return switch (decisions.rotation()) {
      case NotApplicable _ -> Words.no(type);
      case Steady _ -> Words.no(type, "AsExpected", sentence);
      case Settling _ -> Words.yes(type, "KEKSettling", sentence);
      case Disagree _ -> Words.yes(type, "KEKsDiffer", sentence);
      case Silent _ -> Words.unknown(type, "NodesSilent", sentence);
      case Remigrate _ -> Words.yes(type, "MigratingToKEK", sentence);
    };
  }

  /// Tells when a KMS that is no longer written to can be switched off, and what that costs.
  static Words retirement(ObservedState seen) {
    String type = "KMSDecommissionable";
    var ring = seen.ring();
    Optional<Key> newestKey = ring.newest();
    if (newestKey.isEmpty()) {
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
    String names = names(former);
    String written = names(former.stream().filter(key -> !key.isRetracted()).toList());
    if (former.stream().anyMatch(key -> mayBeLoaded(key, seen))) {
      return Words.no(
          type,
          "StillConfigured",
          names + " can be read until its retention is over; do not remove the KMS key yet");
    }
    Optional<String> doubt = doubt(seen);
    return doubt.isEmpty() && seen.deployed().isPresent()
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
        : Words.unknown(
            type,
            "NotYetKnown",
            "an instance may still need "
                + names
                + ": "
                + doubt.orElse("no instance runs a configuration")
                + "; do not remove the KMS key yet");
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

  /// An administrator upgrades on this word, so it is True only where no instance can have a KMS
  /// key: while instances differ, every KMS key that is known may be in use.
  static Words upgradeable(ObservedState seen) {
    String type = "EncryptionUpgradeable";
    if (seen.settings().releaseBeforeReadsKms()) {
      return Words.yes(type, "AsExpected", "");
    }
    Optional<String> doubt = doubt(seen);
    boolean kms =
        seen.ring().keys().stream()
            .filter(key -> key.mode() == Mode.KMS)
            .anyMatch(key -> !seen.isConverged() || mayBeLoaded(key, seen));
    if (kms) {
      return Words.no(
          type,
          "KMSActive",
          "the previous release cannot decrypt KMS-encrypted data; migrate to another type first");
    }
    return doubt
        .map(why ->
            Words.unknown(
                type, "NotYetKnown", "an instance may run a configuration with a KMS: " + why))
        .orElseGet(() -> Words.yes(type, "AsExpected", ""));
  }

  /// Whether an instance has it, or gets it with the configuration that was last written.
  private static boolean mayBeLoaded(Key key, ObservedState seen) {
    return Stream.concat(seen.running().stream(), seen.stored().published().stream())
        .flatMap(layout -> layout.keys().stream())
        .anyMatch(used -> used.serial().equals(key.serial()));
  }

  /// Why nobody can tell what every instance runs. Where encryption was never on, there is nothing
  /// that an instance could run.
  private static Optional<String> doubt(ObservedState seen) {
    boolean isQuiet = !seen.isEnabled() && !(seen.rollout() instanceof Rollout.Unknown);
    return isQuiet
        ? Optional.empty()
        : switch (seen.rollout()) {
          case Rollout.Rolling(var waitingFor, _, _) -> Optional.of(waitingFor);
          case Rollout.Stuck(var problem) -> Optional.of(problem);
          case Rollout.Unknown(_, var problem) -> Optional.of(problem);
          case Rollout.Converged _ ->
              seen.unreachable().isEmpty()
                  ? Optional.empty()
                  : Optional.of("unreachable nodes: " + String.join(", ", seen.unreachable()));
        };
  }
}
