package io.keyward.core.condition;

import io.keyward.core.key.KeyDecision.Refuse;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.migration.MigrationDecision.RetryLater;
import io.keyward.core.migration.MigrationDecision.Start;
import io.keyward.core.migration.MigrationDecision.Step;
import io.keyward.core.migration.MigrationDecision.Watch;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.narrator.Narrator;
import io.keyward.core.preflight.PreflightDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Puts a turn into conditions: all of them, every turn, in the same order, because whoever applies
/// them must send the complete set.
public final class ConditionReporter {
  private ConditionReporter() {}

  public static List<Condition> report(
      ObservedState seen, Decisions decisions, Map<String, String> failures) {
    var conditions = new ArrayList<Condition>();
    for (Words words : words(seen, decisions, failures)) {
      conditions.add(words.at(seen));
    }
    EncryptedWords.of(seen, decisions).map(words -> words.at(seen)).ifPresent(conditions::add);
    return List.copyOf(conditions);
  }

  private static List<Words> words(
      ObservedState seen, Decisions decisions, Map<String, String> failures) {
    return List.of(
        key(decisions, failures),
        degraded("EncryptionStateControllerDegraded", failures.getOrDefault("layout", "")),
        degraded("EncryptionPruneControllerDegraded", failures.getOrDefault("prune", "")),
        migrationDegraded(decisions, failures),
        migrationProgressing(decisions),
        preflightDegraded(seen, decisions, failures),
        preflightProgressing(decisions),
        KmsWords.plugins(decisions),
        KmsWords.rotation(decisions),
        ReportWords.progressing(decisions),
        ReportWords.degraded(seen, decisions),
        KeyRisk.of(seen),
        KmsWords.retirement(seen),
        KmsWords.upgradeable(seen),
        WaitingWords.of(decisions));
  }

  private static Words degraded(String type, String error) {
    return error.isEmpty() ? Words.no(type) : Words.yes(type, "Error", error);
  }

  private static Words key(Decisions decisions, Map<String, String> failures) {
    String type = "EncryptionKeyControllerDegraded";
    return decisions.key() instanceof Refuse(var reason, var detail)
        ? Words.yes(type, "Error", reason + ": " + detail)
        : degraded(type, failures.getOrDefault("key", ""));
  }

  private static List<Step> steps(Decisions decisions) {
    return decisions.migration() instanceof MigrationDecision.Work(var steps) ? steps : List.of();
  }

  private static Words migrationDegraded(Decisions decisions, Map<String, String> failures) {
    String problems =
        steps(decisions).stream()
            .filter(RetryLater.class::isInstance)
            .map(Narrator::of)
            .collect(Collectors.joining("; "));
    return degraded(
        "EncryptionMigrationControllerDegraded",
        problems.isEmpty() ? failures.getOrDefault("migration", "") : problems);
  }

  private static Words migrationProgressing(Decisions decisions) {
    String type = "EncryptionMigrationControllerProgressing";
    List<Resource> running =
        steps(decisions).stream()
            .filter(step -> step instanceof Watch || step instanceof Start)
            .map(Step::resource)
            .toList();
    return running.isEmpty()
        ? Words.no(type)
        : Words.yes(
            type,
            "Migrating",
            "migrating resources to a new write key: ["
                + running.stream().map(ConditionReporter::path).collect(Collectors.joining(" "))
                + "]");
  }

  private static String path(Resource resource) {
    return (resource.group().isEmpty() ? "core" : resource.group()) + "/" + resource.name();
  }

  /// A failure is reported until the configuration passes, also while it is tested again.
  private static Words preflightDegraded(
      ObservedState seen, Decisions decisions, Map<String, String> failures) {
    String type = "EncryptionKMSPreflightControllerDegraded";
    String failed =
        switch (decisions.preflight()) {
          case PreflightDecision.Backoff(var config, var detail, var retryAt) ->
              failed(config, detail) + "; retrying at " + retryAt;
          case PreflightDecision.Deploy(var config, _) -> again(seen, config);
          case PreflightDecision.Watch(var config, _) -> again(seen, config);
          case PreflightDecision.NotNeeded _,
              PreflightDecision.Passed _,
              PreflightDecision.Clean _,
              PreflightDecision.Conclude _ ->
              "";
        };
    return failed.isEmpty()
        ? degraded(type, failures.getOrDefault("preflight", ""))
        : Words.yes(type, "PreflightCheckFailed", failed);
  }

  private static String again(ObservedState seen, Fingerprint config) {
    return seen.activity()
        .preflight()
        .resultOf(config)
        .filter(result -> !result.succeeded())
        .map(result -> failed(config, result.detail()) + "; retrying now")
        .orElse("");
  }

  private static String failed(Fingerprint config, String detail) {
    return "preflight check failed for hash " + config + ": " + detail;
  }

  private static Words preflightProgressing(Decisions decisions) {
    String type = "EncryptionKMSPreflightControllerProgressing";
    String reason = "RunningPreflightCheck";
    return switch (decisions.preflight()) {
      case PreflightDecision.Deploy(var config, _) ->
          Words.yes(type, reason, "Deploying preflight pod for hash " + config);
      case PreflightDecision.Watch(var config, _) ->
          Words.yes(type, reason, "Waiting for preflight pod to report result for " + config);
      case PreflightDecision.NotNeeded _,
          PreflightDecision.Passed _,
          PreflightDecision.Clean _,
          PreflightDecision.Conclude _,
          PreflightDecision.Backoff _ ->
          Words.no(type);
    };
  }
}
