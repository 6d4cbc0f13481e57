package io.keyward.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every scenario that once broke the engine.
final class ScenariosTest {
  static Stream<Path> files() throws IOException {
    try (Stream<Path> found = Files.list(Path.of("src/test/scenarios"))) {
      return found.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void holds(Path file) throws IOException {
    Scenario scenario = Scenario.parse(Files.readString(file));
    assertThat(Simulator.run(scenario, Brain.ENGINE).violation()).isEmpty();
  }
}
