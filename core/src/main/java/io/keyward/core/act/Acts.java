package io.keyward.core.act;

import io.keyward.core.act.Act.Announce;
import io.keyward.core.condition.KeyRisk;
import io.keyward.core.event.EventReporter;
import io.keyward.core.event.TurnEvent.Part;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.narrator.Narrator;
import io.keyward.core.preflight.PreflightCandidate;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.TurnPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// From a plan to what has to be done, in its order. The operator and the simulator carry out these
/// steps and decide nothing between two of them.
public final class Acts {
  private final ObservedState seen;
  private final TurnPlan plan;
  private final List<Step> steps = new ArrayList<>();

  private Acts(ObservedState seen, TurnPlan plan) {
    this.seen = seen;
    this.plan = plan;
  }

  public static List<Step> of(ObservedState seen, TurnPlan plan) {
    var acts = new Acts(seen, plan);
    acts.migrations();
    acts.keys();
    acts.layout();
    acts.preflight().ifPresent(act -> acts.add(Feature.PREFLIGHT, act));
    if (plan.prune() instanceof PruneDecision.Delete delete) {
      acts.announced(Feature.PRUNE, new Act.PruneKeys(delete), Part.PRUNE);
    }
    if (!plan.health().orphans().isEmpty()) {
      acts.add(Feature.HEALTH, new Act.DropReports(plan.health().orphans()));
    }
    acts.rollout().ifPresent(act -> acts.add(Feature.ROLLOUT, act));
    acts.conditions();
    return List.copyOf(acts.steps);
  }

  /// Where an administrator told the operator to keep its hands off.
  public static List<Step> unmanaged() {
    return List.of(new Step(Feature.MIGRATION, new Act.PauseMigrations()));
  }

  /// Whether carrying these steps out would leave everything but the conditions as it is.
  public static boolean areQuiet(ObservedState seen, List<Step> steps) {
    // Which migrations a process works on shows in no look, so one that runs is always acted on.
    boolean migrates =
        seen.activity().migrations().values().stream()
            .anyMatch(one -> one.state() instanceof MigrationStatus.State.Running);
    return !migrates && steps.stream().noneMatch(Step::changesSomething);
  }

  private void add(Feature feature, Act... acts) {
    steps.add(new Step(feature, acts));
  }

  /// A key at risk is also an event, once: when the condition says so for the first time.
  private void conditions() {
    var acts = new ArrayList<Act>(List.of(new Act.SetConditions(plan.conditions())));
    plan.conditions().stream()
        .filter(KeyRisk::isOf)
        .filter(now -> seen.conditions().stream().noneMatch(old -> KeyRisk.isSame(old, now)))
        .forEach(now -> acts.add(new Act.Warn(now.type(), now.message())));
    steps.add(new Step(Feature.CONDITIONS, acts));
  }

  private void announced(Feature feature, Act act, Part part) {
    var acts = new ArrayList<Act>(List.of(act));
    EventReporter.report(seen, plan).stream()
        .filter(event -> event.part() == part)
        .forEach(event -> acts.add(new Announce(event.reason(), event.message())));
    steps.add(new Step(feature, acts));
  }

  private void migrations() {
    // Objects that are re-encrypted now could end up under a key that another node does not have.
    add(
        Feature.MIGRATION,
        seen.rollout() instanceof Rollout.Unknown
            ? new Act.PauseMigrations()
            : new Act.ResumeMigrations());
    if (plan.migration() instanceof MigrationDecision.Work(var work)) {
      work.forEach(this::migration);
    }
  }

  private void migration(MigrationDecision.Step step) {
    switch (step) {
      case MigrationDecision.Start start ->
          add(
              Feature.MIGRATION,
              new Act.StartMigration(start),
              new Announce("EncryptionMigrationStarted", Narrator.started(start)));
      case MigrationDecision.Abort(var resource, _) ->
          add(Feature.MIGRATION, new Act.AbortMigration(resource));
      case MigrationDecision.Mark mark ->
          add(
              Feature.MIGRATION,
              new Act.MarkMigrated(mark),
              new Announce("EncryptionResourceMigrated", Narrator.migrated(mark)));
      case MigrationDecision.Unmark unmark ->
          add(Feature.MIGRATION, new Act.UnmarkMigrated(unmark));
      case MigrationDecision.Reencrypt requested ->
          add(
              Feature.MIGRATION,
              new Act.Reencrypt(requested),
              new Announce("EncryptionReencryptionRequested", Narrator.of(requested)));
      case MigrationDecision.Watch _, MigrationDecision.RetryLater _ -> {}
    }
  }

  private void keys() {
    switch (plan.key()) {
      case KeyDecision.Mint mint -> announced(Feature.KEY, new Act.MintKey(mint), Part.KEY);
      case KeyDecision.Retract(var key) -> announced(Feature.KEY, new Act.PutKey(key), Part.KEY);
      case KeyDecision.Restore(var keys) -> put(keys.stream().map(Key::asBacked).toList());
      case KeyDecision.Refresh(var keys) -> put(keys);
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _, KeyDecision.Refuse _ -> {}
    }
  }

  private void put(List<Key> keys) {
    steps.add(new Step(Feature.KEY, keys.stream().<Act>map(Act.PutKey::new).toList()));
  }

  private void layout() {
    if (plan.layout() instanceof LayoutDecision.Commit(var key)) {
      add(Feature.LAYOUT, new Act.PutKey(key));
    }
    plan.layout()
        .next()
        .ifPresent(layout -> announced(Feature.LAYOUT, new Act.PublishLayout(layout), Part.LAYOUT));
  }

  private Optional<Act> preflight() {
    return switch (plan.preflight()) {
      case PreflightDecision.Deploy(var config, int attempt) ->
          Optional.of(new Act.RunPreflight(PreflightCandidate.of(seen, config), attempt));
      case PreflightDecision.Clean _ -> Optional.of(new Act.CleanPreflight());
      case PreflightDecision.Conclude(var result) ->
          Optional.of(
              new Act.ConcludePreflight(
                  result, seen.wanted().kms().map(RequestedEncryption.Kms::config)));
      case PreflightDecision.NotNeeded _,
          PreflightDecision.Passed _,
          PreflightDecision.Watch _,
          PreflightDecision.Backoff _ ->
          Optional.empty();
    };
  }

  private Optional<Act> rollout() {
    return switch (plan.rollout()) {
      case RolloutDecision.Complete(var needs) -> Optional.of(new Act.CompleteManifest(needs));
      case RolloutDecision.Snapshot(long number) -> Optional.of(new Act.CreateRevision(number));
      case RolloutDecision.Advance(var node, long number) ->
          Optional.of(new Act.SetTarget(node, number));
      case RolloutDecision.Deploy(var deployment, long number) ->
          Optional.of(new Act.UpdateDeployment(deployment, number));
      case RolloutDecision.Ask(var nodes) -> Optional.of(new Act.AskNodes(nodes));
      case RolloutDecision.Forget(var nodes) -> Optional.of(new Act.DropNodes(nodes));
      case RolloutDecision.Nothing _, RolloutDecision.Wait _, RolloutDecision.Refuse _ ->
          Optional.empty();
    };
  }
}
