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
import io.keyward.core.narrator.Narrator;
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
        PreflightWords.degraded(seen, decisions, failures.getOrDefault("preflight", "")),
        PreflightWords.progressing(seen, decisions),
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
}
