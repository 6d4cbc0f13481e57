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

  @Test
  void theVersionNamesTheBuildInEveryFormat() {
    String table = Cli.run("version").out();
    assertThat(table)
        .containsPattern("(?s)^keyward \\d+\\.\\d+\\.\\d+\\S*\ncommit  \\S+\nJDK     25\\.")
        .doesNotContain("${");
    String version = table.lines().findFirst().orElseThrow().substring("keyward ".length());
    assertThat(Cli.run("version", "-o", "json").out())
        .contains("\"version\" : \"" + version + "\"", "\"commit\" : ", "\"jdk\" : \"25.");
    assertThat(Cli.run("version", "-o", "yaml").out())
        .startsWith("apiVersion: cli.keyward.io/v1alpha1\nkind: Version\nversion: \"" + version);
  }

  @Test
  void everyShellGetsACompletion() {
    assertThat(Cli.run("completion", "zsh").out()).contains("bashcompinit", "node-agent");
    assertThat(Cli.run("completion", "fish").out().lines())
        .contains("complete -c keyward -f")
        .anyMatch(
            line -> line.startsWith("complete -c keyward -n '__fish_use_subcommand' -a audit -d '"))
        .anyMatch(line ->
            line.matches(".* -n '__fish_seen_subcommand_from config; and not .* -a validate -d .*"))
        .anyMatch(line ->
            line.matches(
                ".* -n '__fish_seen_subcommand_from audit' -s o -l output -x -a '.*json.*' -d .*"))
        .noneMatch(line -> line.contains("$"));
    assertThat(Cli.run("completion", "tcsh").exit()).isEqualTo(64);
  }
}
