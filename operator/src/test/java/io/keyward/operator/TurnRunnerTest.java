package io.keyward.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Activity;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.KeyStage;
import io.keyward.core.model.KmsEndpoint;
import io.keyward.core.model.KmsKey;
import io.keyward.core.model.Migrated;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.ReferenceData;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Rollout;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.Wanted;
import io.keyward.operator.RolloutView.Manifest;
import java.lang.reflect.Proxy;
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

  @Test
  void aPlanIsCarriedOutAndTold() {
    TurnRunner.Done turn = turn();
    assertThat(done).containsSubsequence("tend", "mint", "announce", "carryOut", "report");
    assertThat(turn.changed()).isTrue();
    assertThat(turn.unsaid()).isEmpty();
  }

  @Test
  void whoIsNotManagedIsLeftAloneAndItsMigrationsRest() {
    managed = false;
    assertThat(turn().changed()).isFalse();
    assertThat(done).containsExactly("rest");
  }

  @Test
  void nothingIsWrittenBesideAConfigurationThatTheClusterDoesNotKnow() {
    for (Blocker blocker : List.of(Blocker.EXISTING_ENCRYPTION, Blocker.UNKNOWN_REVISION)) {
      done.clear();
      state = state(Mode.AESCBC, Stored.NOTHING, new Rollout.Unknown(blocker, "node a"));
      assertThat(turn().changed()).isFalse();
      assertThat(done).containsExactly("rest", "carryOut", "report");
    }
  }

  @Test
  void whatFailsHoldsUpNothingElse() {
    fails = "mint";
    TurnRunner.Done turn = turn();
    assertThat(turn.failed()).containsExactlyEntriesOf(Map.of("key", "mint failed"));
    assertThat(turn.unsaid()).as("it has a condition of its own").isEmpty();
    assertThat(done).contains("carryOut", "report").doesNotContain("announce");
  }

  @Test
  void aRolloutThatFailsIsSaidThoughItHasNoConditionOfItsOwn() {
    fails = "carryOut";
    assertThat(turn().unsaid()).contains("rollout: carryOut failed");
    assertThat(done).contains("report");
  }

  @Test
  void aKeyIsWrittenDownBeforeAConfigurationLetsItWrite() {
    state = with(kms(KeyStage.READ_ONLY), Mode.KMS, converged(reading()));
    assertThat(turn().changed()).isTrue();
    assertThat(done).containsOnlyOnce("put").doesNotContain("publish");
    assertThat(put.stage()).isEqualTo(KeyStage.WRITE);
  }

  @Test
  void aBadKeyIsTakenBackAndThenLeavesTheConfiguration() {
    var failing = new Rollout.Rolling("node a cannot", Optional.empty(), true);
    state = with(kms(KeyStage.READ_ONLY), Mode.IDENTITY, failing);
    turn();
    assertThat(done).containsSubsequence("put", "announce").doesNotContain("publish");
    assertThat(put.stage()).isEqualTo(KeyStage.RETRACTED);

    done.clear();
    state = with(put, Mode.IDENTITY, failing);
    turn();
    assertThat(done).contains("publish").doesNotContain("put");
  }

  /// The state stays as it is, as if somebody deleted each key at once.
  @Test
  void whatHasNoEffectIsRepeatedSlowly() throws InterruptedException {
    long begun = System.nanoTime();
    try (var loop = new ControlLoop(List.of(site()))) {
      loop.start();
      while (Collections.frequency(done, "mint") < 4) {
        loop.wake();
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
    return new TurnRunner(site()).turn();
  }

  private Site site() {
    return new Site() {
      @Override
      public String component() {
        return "kube-apiserver";
      }

      @Override
      public Look look() {
        return recorded();
      }
    };
  }

  /// Notes what is written.
  private Look recorded() {
    return (Look)
        Proxy.newProxyInstance(
            Look.class.getClassLoader(),
            new Class<?>[] {Look.class},
            (_, method, values) ->
                switch (method.getName()) {
                  case "state" -> state;
                  case "isManaged" -> managed;
                  case "rollout" -> view();
                  default -> {
                    if (method.getName().equals(fails)) {
                      throw new IllegalStateException(fails + " failed");
                    }
                    done.add(method.getName());
                    if (method.getName().equals("put")) {
                      put = (Key) values[0];
                    }
                    yield null;
                  }
                });
  }

  private static ObservedState state(Mode wanted, Stored stored, Rollout rollout) {
    return new ObservedState(
        Instant.parse("2026-01-02T03:04:05Z"),
        "kube-apiserver",
        Wanted.plain(wanted, List.of(SECRETS)),
        stored,
        rollout,
        Activity.NONE,
        List.of(),
        Settings.DEFAULT);
  }

  private static RolloutView view() {
    return new RolloutView(Optional.empty(), new Manifest.Unused(), 0, Optional.empty(), List.of());
  }
}
