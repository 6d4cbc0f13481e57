package io.keyward.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Activity;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Rollout;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.Wanted;
import io.keyward.operator.RolloutView.Manifest;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// On a cluster where `aescbc` was asked for and nothing is there yet.
final class TurnRunnerTest {
  private final List<String> done = new ArrayList<>();
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

  private TurnRunner.Done turn() {
    Site site =
        new Site() {
          @Override
          public String component() {
            return "kube-apiserver";
          }

          @Override
          public Look look() {
            return recorded();
          }
        };
    return new TurnRunner(site).turn();
  }

  /// Notes what is written.
  private Look recorded() {
    return (Look)
        Proxy.newProxyInstance(
            Look.class.getClassLoader(),
            new Class<?>[] {Look.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "state" -> state();
                  case "isManaged" -> managed;
                  case "rollout" -> view();
                  default -> {
                    if (method.getName().equals(fails)) {
                      throw new IllegalStateException(fails + " failed");
                    }
                    done.add(method.getName());
                    yield null;
                  }
                });
  }

  private static ObservedState state() {
    return new ObservedState(
        Instant.parse("2026-01-02T03:04:05Z"),
        "kube-apiserver",
        Wanted.plain(Mode.AESCBC, List.of(new Resource("", "secrets"))),
        Stored.NOTHING,
        new Rollout.Converged(0, Optional.empty(), "w", new TreeSet<>(List.of("a"))),
        Activity.NONE,
        List.of(),
        Settings.DEFAULT);
  }

  private static RolloutView view() {
    return new RolloutView(Optional.empty(), new Manifest.Unused(), 0, Optional.empty(), List.of());
  }
}
