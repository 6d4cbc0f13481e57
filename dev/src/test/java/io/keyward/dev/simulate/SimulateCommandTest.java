package io.keyward.dev.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.cli.CommandFailure;
import io.keyward.testkit.sim.Brain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
  void aMistakeIsFoundShrunkAndReplayed(@TempDir Path folder) throws IOException {
    assertThat(run("--mutant", "NO_READ_ONLY_STAGE", "--shrink")).isEqualTo(1);
    String found = out.toString();
    assertThat(found).startsWith("# seed ").contains("\n# statement 1: ").contains("\ninstances ");
    assertThat(found.lines()).hasSizeLessThan(40);
    Path file = folder.resolve("life.txt");
    Files.writeString(file, found);
    assertThat(run("--mutant", "NO_READ_ONLY_STAGE", "--scenario", file.toString())).isEqualTo(1);
    out.getBuffer().setLength(0);
    assertThat(run("--scenario", file.toString())).isZero();
    assertThat(out.toString()).startsWith("the scenario held, ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "instances 1 1",
        "instances 0 1 1",
        "instances 1 6 1",
        "instances 1 x 1",
        "instances 1 1 1\nfly 0 0",
        "instances 1 1 1\nstore 0",
        "instances 1 1 1\nstore 0 x",
        "instances 1 1 1\nstore -1 0",
        "instances 1 1 1\nstore 0 -1"
      })
  void aFileThatIsNoScenarioIsTold(String text, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("life.txt");
    Files.writeString(file, text);
    var command = new SimulateCommand();
    new CommandLine(command).parseArgs("--scenario", file.toString());
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(command::call)
        .withMessageStartingWith("not a scenario: ");
  }

  @Test
  void keepsARecord(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("result.json");
    assertThat(
            run(
                "--runs",
                "9",
                "--seed",
                "5",
                "--threads",
                "3",
                "--commit",
                "abc",
                "--result",
                file.toString()))
        .isZero();
    assertThat(Files.readString(file))
        .contains("\"apiVersion\" : \"keyward.io/simulator/v1\"", "\"commit\" : \"abc\"")
        .contains("\"from\" : 5", "\"to\" : 13", "\"lives\" : 9", "\"violations\" : 0")
        .contains("\"stoppedEarly\" : false");
  }

  @Test
  void theRecordNamesTheLifeThatFailed(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("result.json");
    assertThat(run("--mutant", "NO_READ_ONLY_STAGE", "--result", file.toString())).isEqualTo(1);
    String seed = out.toString().lines().findFirst().orElseThrow().split(" ", -1)[2];
    assertThat(Files.readString(file)).contains("\"firstViolation\" : " + seed);
  }

  @Test
  void aRunThatIsStoppedHasNoGap() throws InterruptedException {
    var run = new SeedRun(5, Long.MAX_VALUE / 2, Brain.ENGINE);
    Thread.ofVirtual().start(run::stop);
    SeedRun.Result result = run.run(3, _ -> {});
    assertThat(result.to()).isEqualTo(4 + result.lives());
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
