package io.keyward.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.act.Act;
import io.keyward.core.model.Activity;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Rollout;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// On a cluster where `aescbc` was asked for and nothing is there yet, unless a test says more.
final class TurnRunnerTest {
  private static final Resource SECRETS = new Resource("", "secrets");

  private final List<String> done = new CopyOnWriteArrayList<>();
  private ObservedState state =
      state(
          Mode.AESCBC,
          Stored.NOTHING,
          new Rollout.Converged(0, Optional.empty(), "w", new TreeSet<>(List.of("a"))));
  private Key put = kms(KeyStage.WRITE);
  private boolean managed = true;
  private String fails = "";
  private String crosses = "";
  private String throwsAt = "";
  private Optional<ObservedState> cached = Optional.empty();
  private boolean reported = true;
  private int live;

  @Test
  void aPlanIsCarriedOutAndTold() {
    TurnRunner.Done turn = turn();
    assertThat(done)
        .containsSubsequence("ResumeMigrations", "MintKey", "Announce", "SetConditions");
    assertThat(turn.changed()).isTrue();
    assertThat(turn.unsaid()).isEmpty();
  }

  @Test
  void whoIsNotManagedIsLeftAloneAndItsMigrationsRest() {
    managed = false;
    assertThat(turn().changed()).isFalse();
    assertThat(done).containsExactly("PauseMigrations");
  }

  @Test
  void nothingIsWrittenBesideAConfigurationThatTheClusterDoesNotKnow() {
    for (Blocker blocker : List.of(Blocker.EXISTING_ENCRYPTION, Blocker.UNKNOWN_REVISION)) {
      done.clear();
      state = state(Mode.AESCBC, Stored.NOTHING, new Rollout.Unknown(blocker, "node a"));
      assertThat(turn().changed()).isFalse();
      assertThat(done).containsExactly("PauseMigrations", "SetConditions");
    }
  }

  @Test
  void whatFailsHoldsUpNothingElse() {
    fails = "MintKey";
    TurnRunner.Done turn = turn();
    assertThat(turn.failed()).containsExactlyEntriesOf(Map.of("key", "MintKey failed"));
    assertThat(turn.unsaid()).as("it has a condition of its own").isEmpty();
    assertThat(done).contains("SetConditions").doesNotContain("Announce");
  }

  @Test
  void aRolloutThatFailsIsSaidThoughItHasNoConditionOfItsOwn() {
    state = rollsOut();
    fails = "CreateRevision";
    assertThat(turn().unsaid()).contains("rollout: CreateRevision failed");
    assertThat(done).contains("SetConditions");
  }

  @Test
  void whatSomebodyElseHasToDoFirstIsReported() {
    Revisions.Manifest missing = new Revisions.Manifest.Absent("ConfigMap x");
    state = rollsOut(missing);
    assertThat(turn().unsaid().orElseThrow()).startsWith("rollout: ConfigMap x is missing");
  }

  @Test
  void aKeyIsWrittenDownBeforeAConfigurationLetsItWrite() {
    state = with(kms(KeyStage.READ_ONLY), Mode.KMS, converged(reading()));
    assertThat(turn().changed()).isTrue();
    assertThat(done).containsOnlyOnce("PutKey").doesNotContain("PublishLayout");
    assertThat(put.stage()).isEqualTo(KeyStage.WRITE);
  }

  @Test
  void aBadKeyIsTakenBackAndThenLeavesTheConfiguration() {
    var failing = new Rollout.Rolling("node a cannot", Optional.empty(), true);
    state = with(kms(KeyStage.READ_ONLY), Mode.IDENTITY, failing);
    turn();
    assertThat(done).containsSubsequence("PutKey", "Announce").doesNotContain("PublishLayout");
    assertThat(put.stage()).isEqualTo(KeyStage.RETRACTED);

    done.clear();
    state = with(put, Mode.IDENTITY, failing);
    turn();
    assertThat(done).contains("PublishLayout").doesNotContain("PutKey");
  }

  @Test
  void aDefectOfOnePartBlocksNoOther() {
    throwsAt = "MintKey";
    assertThat(turn().failed()).containsExactlyEntriesOf(Map.of("key", "a defect"));
    assertThat(done).contains("SetConditions");
  }

  @Test
  void aConflictIsRetriedAndReportedOnceItIsNoRace() {
    crosses = "MintKey";
    var runner = new TurnRunner(site());
    for (int i = 1; i < 20; i++) {
      TurnRunner.Done turn = runner.turn(true);
      assertThat(turn.changed()).isTrue();
      assertThat(turn.failed()).isEmpty();
    }
    assertThat(runner.turn(true).failed().get("key"))
        .contains("secret x was modified concurrently 20 times in a row");
  }

  @Test
  void aGlanceThatShowsNothingToDoSparesTheLiveLook() {
    state = state(Mode.IDENTITY, Stored.NOTHING, state.rollout());
    cached = Optional.of(state);
    TurnRunner.Done turn = new TurnRunner(site()).turn(true);
    assertThat(turn.live()).isFalse();
    assertThat(turn.atRest()).isTrue();
    assertThat(live).isZero();
    assertThat(done).isEmpty();
  }

  @Test
  void aGlanceIsNotTrustedWithAWrite() {
    cached = Optional.of(state);
    state = state(Mode.IDENTITY, Stored.NOTHING, state.rollout());
    assertThat(new TurnRunner(site()).turn(true).changed()).isFalse();
    assertThat(live).isEqualTo(1);
    assertThat(done).doesNotContain("MintKey");
  }

  @Test
  void conditionsThatAreNotReportedYetNeedALiveLook() {
    state = state(Mode.IDENTITY, Stored.NOTHING, state.rollout());
    cached = Optional.of(state);
    reported = false;
    assertThat(new TurnRunner(site()).turn(true).live()).isTrue();
    assertThat(done).contains("SetConditions");
  }

  @Test
  void aMigrationThatRunsIsActedOnInEveryTurn() {
    var running =
        new MigrationStatus(
            SECRETS,
            new MigrationTarget("1", Optional.empty()),
            "w",
            1,
            new MigrationStatus.State.Running());
    ObservedState idle = state(Mode.IDENTITY, Stored.NOTHING, state.rollout());
    state =
        new ObservedState(
            idle.at(),
            idle.component(),
            idle.wanted(),
            idle.stored(),
            idle.rollout(),
            new Activity(
                new TreeMap<>(Map.of(SECRETS, running)),
                idle.activity().preflight(),
                List.of(),
                Optional.empty()),
            List.of(),
            idle.settings());
    cached = Optional.of(state);
    assertThat(new TurnRunner(site()).turn(true).live()).isTrue();
  }

  @Test
  void anotherLiveLookFollowsWhatFailed() {
    fails = "MintKey";
    var runner = new TurnRunner(site());
    runner.turn(true);
    cached = Optional.of(state(Mode.IDENTITY, Stored.NOTHING, state.rollout()));
    assertThat(runner.turn(true).live()).isTrue();
  }

  /// The state stays as it is, as if another client deleted each key at once.
  @Test
  void whatHasNoEffectIsRepeatedSlowly() throws InterruptedException {
    long begun = System.nanoTime();
    try (var engine = Engine.of(List.of(site()), TurnObserver.NOBODY)) {
      while (Collections.frequency(done, "MintKey") < 4) {
        engine.wakeAll();
        Thread.sleep(10);
      }
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));
  }

  private static Key kms(KeyStage stage) {
    return new Key(
        KeySerial.FIRST,
        Mode.KMS,
        Key.NULL_MATERIAL,
        true,
        Optional.of(
            new KmsKey(
                KmsEndpoint.of(KeySerial.FIRST),
                Optional.empty(),
                ReferenceData.NONE,
                ReferenceData.NONE)),
        Migrated.NOTHING,
        "",
        "",
        stage);
  }

  private static EncryptionLayout reading() {
    var slot = new KeyStack.Slot(kms(KeyStage.WRITE), "1_secrets");
    return new EncryptionLayout(
        new TreeMap<>(Map.of(SECRETS, new KeyStack(Optional.empty(), List.of(slot)))));
  }

  private static Rollout converged(EncryptionLayout layout) {
    return new Rollout.Converged(1, Optional.of(layout), "w", new TreeSet<>(List.of("a")));
  }

  private static ObservedState with(Key key, Mode wanted, Rollout rollout) {
    return state(wanted, new Stored(List.of(key), List.of(), Optional.of(reading())), rollout);
  }

  private TurnRunner.Done turn() {
    return new TurnRunner(site()).turn(false);
  }

  private Site site() {
    return new Site() {
      @Override
      public SiteId id() {
        return SiteId.of("kube-apiserver");
      }

      @Override
      public SiteSnapshot observe() {
        live++;
        return new Recorded();
      }

      @Override
      public Optional<SiteSnapshot> glance() {
        return cached.map(state -> new Recorded(state));
      }
    };
  }

  /// Notes what is applied.
  private final class Recorded implements SiteSnapshot {
    private final ObservedState shown;

    Recorded() {
      this(state);
    }

    Recorded(ObservedState shown) {
      this.shown = shown;
    }

    @Override
    public ObservedState state() {
      return shown;
    }

    @Override
    public boolean isReported(List<Condition> conditions) {
      return reported;
    }

    @Override
    public boolean isManaged() {
      return managed;
    }

    @Override
    public Outcome apply(Act act) {
      assertThat(shown).as("nothing is written because of a cache").isSameAs(state);
      String name = act.getClass().getSimpleName();
      if (name.equals(crosses)) {
        return new Outcome.Conflict("secret x");
      }
      if (name.equals(fails)) {
        return new Outcome.Failed(fails + " failed");
      }
      if (name.equals(throwsAt)) {
        throw new IllegalStateException("a defect");
      }
      done.add(name);
      if (act instanceof Act.PutKey(var key)) {
        put = key;
      }
      return new Outcome.Done();
    }
  }

  private static ObservedState rollsOut() {
    return rollsOut(new Revisions.Manifest.Unused());
  }

  /// All instances run what was published before, and something else is published now.
  private static ObservedState rollsOut(Revisions.Manifest manifest) {
    ObservedState before =
        with(
            kms(KeyStage.WRITE),
            Mode.IDENTITY,
            new Rollout.Rolling("node a", Optional.of(reading())));
    return new ObservedState(
        before.at(),
        before.component(),
        before.wanted(),
        before.stored(),
        before.rollout(),
        before.activity(),
        before.conditions(),
        before.settings(),
        new TreeSet<>(),
        new Revisions(
            Optional.of("new"),
            manifest,
            1,
            Optional.of("old"),
            List.of(new Revisions.Node("a", 1, 1, 0, true))));
  }

  private static ObservedState state(Mode wanted, Stored stored, Rollout rollout) {
    return new ObservedState(
        Instant.parse("2026-01-02T03:04:05Z"),
        "kube-apiserver",
        RequestedEncryption.plain(wanted, List.of(SECRETS)),
        stored,
        rollout,
        Activity.NONE,
        List.of(),
        Settings.DEFAULT);
  }
}
