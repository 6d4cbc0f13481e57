package io.keyward.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class SimulateCommandTest {
  private final StringWriter out = new StringWriter();

  @Test
  void tellsWhichSeedsHeld() {
    assertThat(run("--runs", "3", "--seed", "5")).isZero();
    assertThat(out.toString()).startsWith("3 runs held, seeds 5 to 7, ");
  }

  @Test
  void replaysAScenarioFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("life.txt");
    Files.writeString(file, "instances 1 1 1\n# a comment\nset-mode 0 1\nsettle 0 9\n");
    assertThat(run("--scenario", file.toString())).isZero();
    assertThat(out.toString()).startsWith("the scenario held, ");
  }

  @Test
  void zeroRunsAreWrongUsage() {
    assertThat(run("--runs", "0")).isEqualTo(2);
  }

  private int run(String... args) {
    return new CommandLine(new SimulateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(new StringWriter()))
        .execute(args);
  }
}
