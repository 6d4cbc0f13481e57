package io.keyward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class HelpTest {
  private static final int WIDTH = 100;

  private static List<CommandLine> all(CommandLine line) {
    var all = new ArrayList<>(List.of(line));
    line.getSubcommands().values().forEach(one -> all.addAll(all(one)));
    return all;
  }

  @Test
  void finding28EveryCommandHasOneSentenceInTheList() {
    for (CommandLine line : all(Keyward.commandLine())) {
      if (line.getParent() == null || line.getCommandSpec().usageMessage().hidden()) {
        continue;
      }
      String[] header = line.getCommandSpec().usageMessage().header();
      assertThat(header).as(line.getCommandName()).hasSize(1);
      assertThat(header[0]).as(line.getCommandName()).endsWith(".");
    }
  }

  @Test
  void finding28NoExampleIsWrapped() {
    for (CommandLine line : all(Keyward.commandLine())) {
      assertThat(Arrays.asList(line.getCommandSpec().usageMessage().footer()))
          .as(line.getCommandName())
          .allSatisfy(one -> assertThat(one.length()).isLessThan(WIDTH))
          .allSatisfy(one -> assertThat(line.getUsageMessage().lines()).contains(one));
    }
  }

  @Test
  void finding28VersionHelpAndCompletionAreCommands() {
    assertThat(Cli.run("version").out()).startsWith("keyward ");
    assertThat(Cli.run("--version").out()).isEqualTo(Cli.run("version").out());
    assertThat(Cli.run("help").out()).contains("audit", "Report which key protects");
    assertThat(Cli.run("help", "audit").out()).contains("--snapshot");
    assertThat(Cli.run("completion").out()).contains("complete", "audit");
  }
}
