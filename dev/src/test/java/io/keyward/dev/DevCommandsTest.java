package io.keyward.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.CommandSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class DevCommandsTest {
  private static final int WIDTH = 100;

  private static Map<String, Class<?>> found() {
    return ServiceLoader.load(CommandSource.class).findFirst().orElseThrow().commands();
  }

  private static List<CommandLine> all(CommandLine line) {
    var all = new ArrayList<>(List.of(line));
    line.getSubcommands().values().forEach(one -> all.addAll(all(one)));
    return all;
  }

  /// The command line refuses exactly these where this module is missing.
  @Test
  void theServiceLoaderFindsThemByTheirNames() {
    assertThat(found()).containsOnlyKeys("demo", "dev", "simulate");
    found()
        .forEach(
            (name, type) -> assertThat(new CommandLine(type).getCommandName()).isEqualTo(name));
  }

  @Test
  void everyCommandHasOneSentenceInTheListAndNoWrappedExample() {
    for (Class<?> type : found().values()) {
      for (CommandLine line : all(new CommandLine(type))) {
        var usage = line.getCommandSpec().usageMessage();
        if (!usage.hidden()) {
          assertThat(usage.header()).as(line.getCommandName()).hasSize(1);
          assertThat(usage.header()[0]).as(line.getCommandName()).endsWith(".");
        }
        assertThat(Arrays.asList(usage.footer()))
            .as(line.getCommandName())
            .allSatisfy(one -> assertThat(one.length()).isLessThan(WIDTH));
      }
    }
  }
}
