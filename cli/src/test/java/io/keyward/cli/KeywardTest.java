package io.keyward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeywardTest {
  private final StringWriter err = new StringWriter();

  @Test
  void wrongUsageHasItsOwnExitCodeAndNamesTheHelp() {
    assertThat(run("frobnicate")).isEqualTo(64);
    assertThat(err.toString()).contains("frobnicate").contains("try: keyward --help");
  }

  @Test
  void noCommandPrintsTheHelpAndIsWrongUsage() {
    Cli.Result bare = Cli.run();

    assertThat(bare.exit()).isEqualTo(64);
    assertThat(bare.out()).isEmpty();
    assertThat(bare.err()).contains("Usage: keyward", "Commands:", "  audit ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "dev up", "simulate --help", "help dev"})
  void aCommandForDevelopersIsRefusedInOneSentence(String command) {
    Cli.Result refused = Cli.run(command.split(" "));

    assertThat(refused.exit()).isEqualTo(64);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err().lines())
        .singleElement()
        .asString()
        .contains("is part of a source checkout only");
  }

  private int run(String... args) {
    return Keyward.commandLine(args).setErr(new PrintWriter(err, true)).execute(args);
  }
}
