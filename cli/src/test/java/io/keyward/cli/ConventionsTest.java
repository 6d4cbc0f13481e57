package io.keyward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// An option means the same in every command.
final class ConventionsTest {
  private static Stream<CommandLine> commands(CommandLine line) {
    return Stream.concat(
        Stream.of(line),
        line.getSubcommands().values().stream().flatMap(ConventionsTest::commands));
  }

  private static List<CommandLine> all() {
    return commands(Keyward.commandLine()).toList();
  }

  private static List<String> with(String option) {
    return all().stream()
        .filter(line -> line.getCommandSpec().findOption(option) != null)
        .map(line -> line.getCommandSpec().qualifiedName())
        .sorted()
        .toList();
  }

  @Test
  void configIsTheConfigurationFileOfAProgramOfKeyward() {
    assertThat(with("--config"))
        .containsExactly(
            "keyward explain",
            "keyward node-agent",
            "keyward node-agent prepare",
            "keyward node-agent setup",
            "keyward operator",
            "keyward operator install",
            "keyward operator uninstall",
            "keyward plugin",
            "keyward preflight",
            "keyward rotate",
            "keyward status");
  }

  @Test
  void whatIsShownIsShownAsTableJsonAndYaml() {
    assertThat(with("--output"))
        .containsExactly(
            "keyward audit",
            "keyward config validate",
            "keyward explain",
            "keyward inspect",
            "keyward keystore list",
            "keyward node-agent check",
            "keyward preflight",
            "keyward recover",
            "keyward status",
            "keyward version");
    for (CommandLine line : all()) {
      OptionSpec option = line.getCommandSpec().findOption("--output");
      if (option == null) {
        continue;
      }
      String name = line.getCommandSpec().qualifiedName();
      assertThat(option.names()).as(name).contains("-o");
      List<String> formats =
          Stream.of(option.type().getEnumConstants()).map(Object::toString).toList();
      // Recovered objects are for kubectl.
      assertThat(formats).as(name).contains("json", "yaml");
      assertThat(formats.contains("table")).as(name).isEqualTo(!name.endsWith("recover"));
      String help = String.join(" ", option.description());
      assertThat(help)
          .as(name)
          .contains(formats)
          .endsWith("(default: " + formats.getFirst() + ").");
    }
  }

  @Test
  void aClusterIsReachedWithTheOptionsOfKubectl() {
    assertThat(with("--kubeconfig"))
        .containsExactly(
            "keyward explain",
            "keyward node-agent",
            "keyward node-agent prepare",
            "keyward node-agent remove",
            "keyward operator",
            "keyward operator install",
            "keyward operator uninstall",
            "keyward rotate",
            "keyward status")
        .isEqualTo(with("--context"));
  }

  @Test
  void anEncryptionConfigurationIsNamedSo() {
    assertThat(with("--encryption-config"))
        .containsExactly(
            "keyward audit", "keyward inspect", "keyward node-agent", "keyward recover");
    for (CommandLine line : all()) {
      for (OptionSpec option : line.getCommandSpec().options()) {
        if (String.join(" ", option.description())
            .toLowerCase(Locale.ROOT)
            .contains("the encryptionconfiguration")) {
          assertThat(option.longestName())
              .as(line.getCommandSpec().qualifiedName())
              .isEqualTo("--encryption-config");
        }
      }
    }
  }
}
