package io.keyward.testkit.sim;

import io.keyward.core.layout.LayoutDecision.AddReadKeys;
import io.keyward.core.layout.LayoutDecision.PromoteWriteKey;
import io.keyward.core.layout.LayoutDecision.Rebuild;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.migration.MigrationDecision.Mark;
import io.keyward.core.migration.MigrationDecision.Work;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// Mistakes about configurations, migrations and what is said of them.
final class LayoutMistakes {
  private LayoutMistakes() {}

  static TurnPlan lostSecretLosesProvider(ObservedState seen) {
    return Turn.plan(
        Changed.view(
            seen,
            layout ->
                layout.mapStacks(entry -> withoutUnbackedKms(entry.getValue(), seen.stored()))));
  }

  private static KeyStack withoutUnbackedKms(KeyStack stack, Stored stored) {
    var backed = new TreeSet<KeySerial>();
    stored.secrets().forEach(key -> backed.add(key.serial()));
    stack.keys().stream()
        .filter(key -> key.mode() != Mode.KMS)
        .forEach(key -> backed.add(key.serial()));
    return stack.keeping(backed).writing(stack.write().filter(backed::contains));
  }

  static TurnPlan plaintextOnRebuild(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.layout() instanceof Rebuild(var layout)
        ? Changed.with(
            seen,
            plan,
            new Rebuild(layout.mapStacks(entry -> entry.getValue().writing(Optional.empty()))))
        : plan;
  }

  static TurnPlan resourceDroppedAtOnce(ObservedState seen) {
    return Turn.plan(
        Changed.view(
            seen,
            layout -> {
              var stacks = new TreeMap<Resource, KeyStack>(layout.stacks());
              stacks.keySet().retainAll(seen.wanted().resources());
              return new EncryptionLayout(stacks);
            }));
  }

  static TurnPlan noReadOnlyStage(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    Optional<Key> newest = seen.ring().newest();
    return plan.layout() instanceof AddReadKeys(var layout) && newest.isPresent()
        ? Changed.with(
            seen,
            plan,
            new PromoteWriteKey(
                layout.mapStacks(entry -> entry.getValue().writing(newest.map(Key::serial))),
                newest.orElseThrow().serial()))
        : plan;
  }

  static TurnPlan neverRecordsAMigration(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.migration() instanceof Work(var steps)
        ? Changed.with(
            seen, plan, new Work(steps.stream().filter(s -> !(s instanceof Mark)).toList()))
        : plan;
  }

  /// A resource counts as migrated as soon as its migration runs.
  static TurnPlan recordsTooEarly(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    if (!(plan.migration() instanceof Work(var steps))) {
      return plan;
    }
    var marked = new ArrayList<MigrationDecision.Step>();
    for (MigrationDecision.Step step : steps) {
      marked.add(
          step instanceof MigrationDecision.Watch(var resource, var target)
                  && !target.writeKey().equals("identity")
              ? new Mark(
                  resource,
                  new KeySerial(Long.parseLong(target.writeKey())),
                  Optional.empty(),
                  Optional.empty())
              : step);
    }
    return Changed.with(seen, plan, new Work(marked));
  }

  static TurnPlan waitsInSilence(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return Changed.saying(
        plan,
        plan.conditions().stream().filter(c -> !c.type().equals("EncryptionWaiting")).toList());
  }

  static TurnPlan forgetsSinceWhen(ObservedState seen) {
    return worded(
        seen, c -> new Condition(c.type(), c.status(), c.reason(), c.message(), seen.at()));
  }

  static TurnPlan doesNotSayWhatEndsIt(ObservedState seen) {
    return worded(
        seen,
        c ->
            new Condition(
                c.type(),
                c.status(),
                c.reason(),
                c.message().replaceAll("; this ends when .*", "; this ends when it is over"),
                c.since()));
  }

  static TurnPlan doesNotSayOnWhat(ObservedState seen) {
    return worded(
        seen,
        c ->
            new Condition(
                c.type(),
                c.status(),
                c.reason(),
                c.message().replaceAll("waits: .*; this", "waits: something; this"),
                c.since()));
  }

  private static TurnPlan worded(ObservedState seen, UnaryOperator<Condition> change) {
    TurnPlan plan = Turn.plan(seen);
    return Changed.saying(plan, plan.conditions().stream().map(change).toList());
  }

  static TurnPlan tellsACredential(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    var said = new ArrayList<Condition>(plan.conditions());
    seen.wanted()
        .kms()
        .flatMap(kms -> kms.secrets().entries().values().stream().findFirst())
        .map(bytes -> new String(bytes.reveal(), StandardCharsets.UTF_8))
        .ifPresent(text ->
            said.add(
                new Condition(
                    "KMSPluginsDegraded",
                    Condition.Status.TRUE,
                    "Error",
                    "cannot log in with " + text,
                    seen.at())));
    return Changed.saying(plan, List.copyOf(said));
  }
}
