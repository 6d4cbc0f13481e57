package io.keyward.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SimulatorTest {
  private static final long FIRST_SEED = 1;
  private static final int RUNS = Integer.getInteger("keyward.simulator.runs", 20_000);
  private static final int MUTANT_RUNS = 10_000;

  @Test
  void theEngineHoldsInEveryRun() {
    LongStream.range(FIRST_SEED, FIRST_SEED + RUNS).parallel().forEach(SimulatorTest::assertHolds);
  }

  private static void assertHolds(long seed) {
    var violation = Simulator.run(Scenario.of(seed), Brain.ENGINE).violation();
    if (violation.isPresent()) {
      fail(
          "seed %d broke statement %d: %s"
              .formatted(seed, violation.get().statement(), violation.get().what()));
    }
  }

  @ParameterizedTest
  @EnumSource(Mutant.class)
  void everyMutantIsFoundByTheStatementItBreaks(Mutant mutant) {
    assertThat(
            LongStream.range(FIRST_SEED, MUTANT_RUNS)
                .parallel()
                .anyMatch(seed -> broken(seed, mutant) == mutant.statement()))
        .as("%d runs find %s", MUTANT_RUNS, mutant)
        .isTrue();
  }

  @Test
  void thereIsAMutantForEachStatement() {
    assertThat(Arrays.stream(Mutant.values()).map(Mutant::statement).distinct())
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15);
  }

  private static int broken(long seed, Brain brain) {
    return Simulator.run(Scenario.of(seed), brain).violation().map(Violation::statement).orElse(0);
  }

  @Test
  void aSeedReplaysExactly() {
    var once = Simulator.run(Scenario.of(7), Brain.ENGINE);
    var twice = Simulator.run(Scenario.of(7), Brain.ENGINE);
    assertThat(twice.steps()).isEqualTo(once.steps());
    assertThat(Scenario.parse(Scenario.of(7).text())).isEqualTo(Scenario.of(7));
  }

  @Test
  void aFailureIsShrunkToFewEventsThatStillFail() {
    Brain mutant = Mutant.NO_READ_ONLY_STAGE;
    long seed = FIRST_SEED;
    while (Simulator.run(Scenario.of(seed), mutant).violation().isEmpty()) {
      seed++;
    }
    Scenario shrunk = Shrinker.shrink(Scenario.of(seed), mutant);
    assertThat(Simulator.run(shrunk, mutant).violation()).isPresent();
    assertThat(shrunk.events()).hasSizeLessThan(Scenario.of(seed).events().size() / 2);
  }
}
