package io.keyward.core.condition;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsChange;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.preflight.PreflightDecision;
import java.util.Optional;
import java.util.stream.Collectors;

/// Whether KMS configurations work, and whether what they refer to exists.
final class PreflightWords {
  private static final String DEGRADED = "EncryptionKMSPreflightControllerDegraded";
  private static final String PROGRESSING = "EncryptionKMSPreflightControllerProgressing";
  private static final String RUNNING = "RunningPreflightCheck";

  private PreflightWords() {}

  /// A failure is reported until the configuration passes, also while it is tested again.
  ///
  /// @param error of the turn before; empty where there was none
  static Words degraded(ObservedState seen, Decisions decisions, String error) {
    String failed =
        switch (decisions.preflight()) {
          case PreflightDecision.Backoff(var config, var detail, var retryAt) ->
              failed(seen, config, detail) + "; retrying at " + retryAt;
          case PreflightDecision.Deploy(var config, _) -> again(seen, config);
          case PreflightDecision.Watch(var config, _) -> again(seen, config);
          case PreflightDecision.NotNeeded _,
              PreflightDecision.Passed _,
              PreflightDecision.Clean _,
              PreflightDecision.Conclude _ ->
              "";
        };
    if (!failed.isEmpty()) {
      return Words.yes(DEGRADED, "PreflightCheckFailed", failed);
    }
    return error.isEmpty() ? references(seen) : Words.yes(DEGRADED, "Error", error);
  }

  private static Words references(ObservedState seen) {
    String missing =
        KmsChange.missing(seen).entrySet().stream()
            .map(one -> "key " + one.getKey() + ": " + one.getValue())
            .collect(Collectors.joining("; "));
    return missing.isEmpty()
        ? Words.no(DEGRADED)
        : Words.yes(
            DEGRADED,
            "ReferenceMissing",
            missing + "; the plugin keeps the contents that it has; create the object again");
  }

  private static String again(ObservedState seen, Fingerprint config) {
    return seen.activity()
        .preflight()
        .resultOf(config)
        .filter(result -> !result.succeeded())
        .map(result -> failed(seen, config, result.detail()) + "; retrying now")
        .orElse("");
  }

  /// A configuration that nobody requests is that of a key in use whose references changed.
  private static String failed(ObservedState seen, Fingerprint config, String detail) {
    boolean isRequested =
        seen.wanted().kms().map(RequestedEncryption.Kms::config).equals(Optional.of(config));
    String of =
        isRequested
            ? ""
            : KmsChange.outdated(seen, seen.ring()).stream()
                .filter(update -> update.config().equals(config))
                .map(update ->
                    " with the new contents of the references of key "
                        + update.key().serial()
                        + ", which keeps its previous ones")
                .findFirst()
                .orElse("");
    return "preflight check failed for hash " + config + of + ": " + detail;
  }

  /// With what keeps its pods from starting, long before it counts as failed.
  static Words progressing(ObservedState seen, Decisions decisions) {
    return switch (decisions.preflight()) {
      case PreflightDecision.Deploy(var config, _) ->
          Words.yes(PROGRESSING, RUNNING, "Deploying preflight pod for hash " + config);
      case PreflightDecision.Watch(var config, _) ->
          Words.yes(
              PROGRESSING,
              RUNNING,
              "Waiting for preflight pod to report result for "
                  + config
                  + seen.activity()
                      .preflight()
                      .run()
                      .flatMap(PreflightState.Run::stuckOn)
                      .map(words -> ": " + words)
                      .orElse(""));
      case PreflightDecision.NotNeeded _,
          PreflightDecision.Passed _,
          PreflightDecision.Clean _,
          PreflightDecision.Conclude _,
          PreflightDecision.Backoff _ ->
          Words.no(PROGRESSING);
    };
  }
}
