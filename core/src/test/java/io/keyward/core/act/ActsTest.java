package io.keyward.core.act;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.ObservedState;
import io.keyward.core.turn.Turn;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A step is shown as its feature and its acts, for example `key: MintKey Announce`. The first step
/// about migrations and the last one about conditions are left out where nothing is special.
final class ActsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                              | wanted | runs     | written | keys            | steps
          the first key                       | aes    | -        | -       | -               | key: MintKey Announce
          all learn to read it                | aes    | -        | -       | 1:aes           | layout: PublishLayout Announce Announce Announce
          a key may write from now on         | kmsA   | w1 r2,1  | =       | 2:kmsA- 1:aes+  | layout: PutKey
          a withdrawn key is announced        | aes    | failing  | w1 r2,1 | 2:kmsA- 1:aes+  | key: PutKey Announce
          data is re-encrypted                | aes    | w1 r1    | =       | 1:aes           | migration: StartMigration Announce; migration: StartMigration Announce
          a damaged secret is written again   | aes    | w1 r1    | =       | 1:aes!          | key: PutKey
          nothing is to be done               | aes    | w1 r1    | =       | 1:aes+          | nothing
          """)
  void aPlanBecomesSteps(
      String name, String wanted, String runs, String written, String keys, String steps) {
    ObservedState seen =
        new Notation().wanted(wanted).keys(keys).rollout(runs).published(written).state();
    List<Step> all = Acts.of(seen, Turn.plan(seen));
    assertThat(all.getFirst().acts()).containsExactly(new Act.ResumeMigrations());
    assertThat(all.getLast().acts().getFirst()).isInstanceOf(Act.SetConditions.class);
    String shown =
        all.subList(1, all.size() - 1).stream()
            .map(ActsTest::show)
            .collect(Collectors.joining("; "));
    assertThat(shown.isEmpty() ? "nothing" : shown).as(name).isEqualTo(steps);
  }

  @Test
  void nothingIsReEncryptedBesideAnUnknownRevision() {
    ObservedState seen =
        new Notation().wanted("aes").keys("1:aes").rollout("unknown").published("w1 r1").state();
    assertThat(Acts.of(seen, Turn.plan(seen)).getFirst().acts())
        .containsExactly(new Act.PauseMigrations());
  }

  @Test
  void onlyReportsChangeNothing() {
    ObservedState seen =
        new Notation().wanted("aes").keys("1:aes+").rollout("w1 r1").published("=").state();
    assertThat(Acts.of(seen, Turn.plan(seen))).noneMatch(Step::changesSomething);
    assertThat(Acts.unmanaged()).noneMatch(Step::changesSomething);
    ObservedState fresh = new Notation().wanted("aes").rollout("-").state();
    assertThat(Acts.of(fresh, Turn.plan(fresh))).anyMatch(Step::changesSomething);
  }

  private static String show(Step step) {
    return step.feature().word()
        + ": "
        + step.acts().stream()
            .map(act -> act.getClass().getSimpleName())
            .collect(Collectors.joining(" "));
  }
}
