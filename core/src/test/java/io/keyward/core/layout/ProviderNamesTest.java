package io.keyward.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.rollout.Rollout;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ProviderNamesTest {
  @Test
  void w19ProviderNamesDoNotCollideAcrossGroups() {
    var seen =
        new Notation()
            .wanted("kmsA", "", "routes.a.example,routes.b.example")
            .keys("1:kmsA")
            .rollout("-")
            .state();
    var next = LayoutDecider.decide(seen).next().orElseThrow();
    assertThat(next.stacks().values().stream().map(s -> s.reads().getFirst().providerName()))
        .containsExactly("1_routes", "1_routes.b.example");
  }

  @Test
  void w19ANameThatIsDeployedIsKept() {
    var notation = new Notation().wanted("kmsA", "", "secrets").keys("1:kmsA");
    var stacks = new TreeMap<Resource, KeyStack>();
    var slot = notation.layout("secrets:w1 r1").stack(Notation.SECRETS).reads().getFirst();
    stacks.put(
        Notation.SECRETS,
        new KeyStack(
            Optional.empty(), List.of(new KeyStack.Slot(slot.key(), "1_named_by_others"))));
    var base = new EncryptionLayout(stacks);
    var next = LayoutDecider.decide(runs(notation.state(), base)).next().orElseThrow();
    assertThat(next.stack(Notation.SECRETS).reads().getFirst().providerName())
        .isEqualTo("1_named_by_others");
  }

  @Test
  void w19ANameThatALaterResourceHasIsNotGivenAgain() {
    var notation =
        new Notation().wanted("kmsA", "", "routes.a.example,routes.b.example").keys("1:kmsA");
    var seen = notation.rollout("routes.b.example: w- r1").published("=").state();
    var next = LayoutDecider.decide(seen).next().orElseThrow();
    assertThat(next.stacks().values().stream().map(s -> s.reads().getFirst().providerName()))
        .containsExactly("1_routes.a.example", "1_routes");
  }

  @Test
  void w19ANameThatALaterResourceDoesNotHaveIsFree() {
    var notation =
        new Notation().wanted("kmsA", "", "routes.a.example,routes.b.example").keys("1:kmsA");
    var base =
        notation
            .layout("routes.b.example: w- r1")
            .mapStacks(entry ->
                new KeyStack(
                    Optional.empty(),
                    List.of(
                        new KeyStack.Slot(
                            entry.getValue().reads().getFirst().key(), "1_named_by_others"))));
    var next = LayoutDecider.decide(runs(notation.state(), base)).next().orElseThrow();
    assertThat(next.stacks().values().stream().map(s -> s.reads().getFirst().providerName()))
        .containsExactly("1_routes", "1_named_by_others");
  }

  private static ObservedState runs(ObservedState seen, EncryptionLayout layout) {
    return new ObservedState(
        seen.at(),
        seen.component(),
        seen.wanted(),
        new Stored(seen.stored().secrets(), List.of(), Optional.of(layout)),
        new Rollout.Converged(7, Optional.of(layout), Notation.WITNESS, Notation.NODES),
        seen.activity(),
        List.of(),
        seen.settings());
  }
}
