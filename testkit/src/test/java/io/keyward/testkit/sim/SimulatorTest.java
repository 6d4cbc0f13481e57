package io.keyward.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SimulatorTest {
  private static final long FIRST_SEED = 1;
  private static final int RUNS = Integer.getInteger("keyward.simulator.runs", 4_200);

  /// Lives that find mutants which no seed of a build finds, each in a file with the mutant's name.
  private static final Path MUTANTS = Path.of("src/test/scenarios-mutants");

  /// Lives that find mutants which few others find. They go first.
  private static final long[] RARE = {4511, 5818, 28_952, 4717, 61_008};

  private static final Duration FRESH =
      Duration.ofSeconds(Integer.getInteger("keyward.simulator.fresh.seconds", 5));

  @Test
  void theEngineHoldsInEveryRun() {
    LongStream.range(FIRST_SEED, FIRST_SEED + RUNS).parallel().forEach(SimulatorTest::assertHolds);
  }

  /// Lives that no build has seen. A failure names its seed, which repeats it.
  @Test
  void theEngineHoldsInFreshRuns() {
    long first = System.currentTimeMillis() * 1_000;
    long end = System.nanoTime() + FRESH.toNanos();
    var runs = new AtomicLong();
    LongStream.iterate(first, seed -> seed + 1)
        .takeWhile(_ -> System.nanoTime() < end)
        .forEach(seed -> {
          runs.incrementAndGet();
          assertHolds(seed);
        });
    System.out.printf("fresh seeds %d to %d held%n", first, first + runs.get() - 1);
  }

  private static void assertHolds(long seed) {
    var violation = Simulator.run(Scenario.of(seed), Brain.ENGINE).violation();
    if (violation.isPresent()) {
      fail(
          "seed %d broke statement %d: %s"
              .formatted(seed, violation.get().statement(), violation.get().what()));
    }
  }

  static Stream<Mutant> mutants() {
    return Arrays.stream(Mutant.values()).filter(mutant -> mutant.statement() > 0);
  }

  /// Among the lives in which the engine holds.
  @ParameterizedTest
  @MethodSource("mutants")
  void everyMutantIsFoundByTheStatementItBreaks(Mutant mutant) throws IOException {
    Path life = MUTANTS.resolve(mutant.name() + ".txt");
    if (Files.exists(life)) {
      var scenario = Scenario.parse(Files.readString(life));
      assertThat(Simulator.run(scenario, mutant).violation())
          .hasValueSatisfying(found -> assertThat(found.statement()).isEqualTo(mutant.statement()));
      assertThat(Simulator.run(scenario, Brain.ENGINE).violation()).isEmpty();
      return;
    }
    OptionalLong found =
        LongStream.concat(LongStream.of(RARE), LongStream.range(FIRST_SEED, FIRST_SEED + RUNS))
            .filter(seed -> broken(seed, mutant) == mutant.statement())
            .findFirst();
    assertThat(found).as("%d runs find %s", RUNS, mutant).isPresent();
  }

  @Test
  void thereIsAMutantForEachStatement() {
    assertThat(mutants().map(Mutant::statement).distinct())
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15);
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
