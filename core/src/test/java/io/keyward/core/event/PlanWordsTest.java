package io.keyward.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.health.HealthDecision;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.narrator.Narrator;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.rotation.RotationDecision;
import io.keyward.core.turn.TurnPlan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PlanWordsTest {
  private static final Resource SECRETS = new Resource("", "secrets");
  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
  private static final KeySerial ONE = new KeySerial(1);
  private static final KeySerial TWO = new KeySerial(2);
  private static final RolloutDecision NO_ROLLOUT = new RolloutDecision.Nothing();

  @Test
  void nothingIsPlannedWhereAllIsAsItShouldBe() {
    assertThat(
            PlanWords.next(plan(new MigrationDecision.Idle(), new KeyDecision.Keep(), NO_ROLLOUT)))
        .isEmpty();
  }

  @Test
  void waitsAreLeftToTheConditionThatSaysWhatEndsThem() {
    var waits = new KeyDecision.Wait(Blocker.ROLLOUT, "node b is behind");
    assertThat(PlanWords.next(plan(new MigrationDecision.Idle(), waits, NO_ROLLOUT))).isEmpty();
  }

  @Test
  void eachThingThatIsDoneIsASentence() {
    var steps =
        new MigrationDecision.Work(
            List.of(
                new MigrationDecision.Start(
                    SECRETS, MigrationTarget.under(TWO, Optional.empty()), "w", 3),
                new MigrationDecision.RetryLater(SECRETS, NOON, "no answer")));
    var mint =
        new KeyDecision.Mint(TWO, Mode.AESCBC, Optional.empty(), "encryption-mode-changed", "");
    assertThat(PlanWords.next(plan(steps, mint, new RolloutDecision.Advance("b", 4))))
        .containsExactly(
            "Re-encrypting secrets with key 2, attempt 3",
            "Retrying to re-encrypt secrets at 2026-01-02T12:00:00Z: no answer",
            "Creating key 2 (aescbc): encryption-mode-changed",
            "Rolling out revision 4 on node b");
  }

  @Test
  void aKeyThatIsTakenBackIsSaid() {
    var key = Key.unbacked(TWO, Mode.KMS, Key.NULL_MATERIAL, Optional.empty());
    assertThat(
            PlanWords.next(
                plan(new MigrationDecision.Idle(), new KeyDecision.Retract(key), NO_ROLLOUT)))
        .containsExactly(
            "Withdrawing key 2: its rollout fails, it is no longer requested, and nothing was written"
                + " with it");
    assertThat(Narrator.of(new LayoutDecision.Commit(key)))
        .isEqualTo("Data may depend on key 2 from now on; it can no longer be withdrawn");
    assertThat(
            Narrator.of(
                new LayoutDecision.Retract(EncryptionLayout.EMPTY, new TreeSet<>(List.of(TWO)))))
        .isEqualTo("Removing the withdrawn keys [2]: " + EncryptionLayout.EMPTY);
  }

  @Test
  void whatARolloutWaitsForIsSaid() {
    assertThat(rollout(new RolloutDecision.Wait("node b is not ready")))
        .containsExactly("The rollout waits: node b is not ready");
    assertThat(rollout(new RolloutDecision.Refuse("no manifest")))
        .containsExactly("The rollout is blocked: no manifest");
  }

  private static List<String> rollout(RolloutDecision decision) {
    return PlanWords.next(plan(new MigrationDecision.Idle(), new KeyDecision.Keep(), decision));
  }

  @Test
  void aPlanForAKmsIsSaidInItsOrder() {
    var plan =
        new TurnPlan(
            new MigrationDecision.Idle(),
            new KeyDecision.Keep(),
            new LayoutDecision.DropReadKeys(EncryptionLayout.EMPTY, new TreeSet<>(List.of(ONE))),
            new PreflightDecision.Backoff(new Fingerprint("AAAAAAAA"), "no socket", NOON),
            new RotationDecision.NotApplicable(),
            new PruneDecision.Delete(new TreeSet<>(List.of(ONE)), List.of("broken")),
            new HealthDecision.NotKms(List.of()),
            new RolloutDecision.Snapshot(7),
            List.of());
    assertThat(PlanWords.next(plan))
        .containsExactly(
            "Removing keys [1], on which nothing depends: " + EncryptionLayout.EMPTY,
            "Testing the KMS configuration again at 2026-01-02T12:00:00Z: no socket",
            "Deleting key secrets that nothing depends on: [1, broken]",
            "Creating revision 7 of the published configuration");
  }

  private static TurnPlan plan(
      MigrationDecision migration, KeyDecision key, RolloutDecision rollout) {
    return new TurnPlan(
        migration,
        key,
        new LayoutDecision.InSync(),
        new PreflightDecision.NotNeeded(),
        new RotationDecision.NotApplicable(),
        new PruneDecision.Nothing(),
        new HealthDecision.NotKms(List.of()),
        rollout,
        List.of());
  }
}
