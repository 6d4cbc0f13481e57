package io.keyward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class KeywardTest {
  private final StringWriter err = new StringWriter();

  @Test
  void wrongUsageHasItsOwnExitCodeAndNamesTheHelp() {
    assertThat(run("frobnicate")).isEqualTo(64);
    assertThat(err.toString()).contains("frobnicate").contains("try: keyward --help");
  }

  @Test
  void noCommandIsWrongUsage() {
    assertThat(run()).isEqualTo(64);
    assertThat(err.toString()).contains("name a command");
  }

  private int run(String... args) {
    return Keyward.commandLine(args).setErr(new PrintWriter(err, true)).execute(args);
  }
}
