package io.keyward.core.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.model.Condition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether there is anything to do at all.
final class EnabledTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                               | wanted | runs  | written | keys   | enabled
          never on                             | id     | -     | -       | -      | no
          never on, instances roll             | id     | rolling | -     | -      | no
          a type is asked for                  | aes    | -     | -       | -      | yes
          a configuration is written           | id     | -     | w- r1   | -      | yes
          a key secret exists                  | id     | -     | -       | 1:aes  | yes
          a key secret that cannot be read     | id     | -     | -       | 1:aes~ | yes
          a configuration runs                 | id     | w- r1 | -       | -      | yes
          an unknown revision runs             | id     | unknown | -     | -      | yes
          an existing configuration runs       | id     | existing | -    | -      | no
          """)
  void isEnabled(
      String name, String wanted, String runs, String written, String keys, String enabled) {
    var seen = new Notation().wanted(wanted).keys(keys).rollout(runs).published(written).state();
    assertThat(seen.isEnabled()).as(name).isEqualTo(enabled.equals("yes"));
    if (!seen.isEnabled()) {
      TurnPlan plan = Turn.plan(seen);
      assertThat(plan.key()).isInstanceOf(KeyDecision.Idle.class);
      assertThat(plan.layout()).isInstanceOf(LayoutDecision.Idle.class);
      assertThat(plan.conditions())
          .filteredOn(said -> !said.type().equals("EncryptionUpgradeable"))
          .allMatch(said -> said.status() == Condition.Status.FALSE && said.message().isEmpty());
    }
  }
}
