package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands for developers: `./keyward` of a checkout has them, the distribution does not.
final class CheckoutIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String LISTED = "(?m)^  (demo|dev|simulate) ";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"demo", "demo --help", "dev up", "help dev", "simulate --runs 1"})
  void theDistributionRefusesACommandForDevelopersInOneSentence(String command) {
    Keyward refused = Keyward.run(command.split(" "));

    assertThat(refused.exitCode()).isEqualTo(64);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err().lines())
        .singleElement()
        .asString()
        .contains("is part of a source checkout only");
  }

  @Test
  void theDistributionDoesNotListThem() {
    assertThat(Keyward.run("--help").out()).contains("audit").doesNotContainPattern(LISTED);
    assertThat(Keyward.run("completion").out()).contains("audit").doesNotContain("simulate");
  }

  @Test
  void theDistributionContainsNothingForTests() throws IOException {
    try (Stream<Path> jars = Files.walk(Keyward.HOME.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .anyMatch(name -> name.startsWith("keyward-cli-"))
          .noneMatch(name -> name.matches("keyward-(testbed|testkit|dev|kms-fakes|kms-tck)-.*"));
    }
  }

  @Test
  void aCheckoutListsThemAmongTheOthers() {
    String help = checkout("--help").out();

    assertThat(help.lines().filter(line -> line.matches(LISTED + ".*"))).hasSize(3);
    assertThat(help).contains("  config ").containsPattern("(?m)^  demo ");
    assertThat(checkout("completion").out()).contains("simulate");
    assertThat(checkout("help", "demo").out()).contains("Examples:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "demo", "simulate"})
  void theirHelpHasExamples(String command) {
    Keyward help = checkout(command, "--help");

    assertThat(help.exitCode()).as(help.err()).isZero();
    assertThat(help.out()).contains("Usage: keyward " + command, "Examples:");
  }

  @Test
  void aCheckoutRunsThem() {
    assertThat(checkout("simulate", "--runs", "2").out()).startsWith("2 runs held, seeds 1 to 2");
    Keyward none = checkout("dev", "status", "--dir", directory.resolve("none").toString());
    assertThat(none.out()).startsWith("There is no cluster in ");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(checkout("simulat").err()).contains("Did you mean: keyward simulate");
  }

  /// A longer class path would make their AOT caches useless, and a server started by a developer's
  /// command is to be the one that production has.
  @ParameterizedTest
  @ValueSource(strings = {"plugin", "audit", "recover", "operator", "node-agent"})
  void serversAndAuditsOfACheckoutKeepTheirClassPath(String command) throws Exception {
    Path classes = directory.resolve("classpath");
    var words = new ArrayList<>(List.of("env", "KEYWARD_NO_BUILD=1"));
    words.add("KEYWARD_JAVA_OPTS=-XshowSettings:properties");
    words.addAll(List.of(ROOT.resolve("keyward").toString(), command, "--help"));
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(classes.toFile())
            .start();

    assertThat(process.waitFor()).isZero();

    assertThat(Files.readString(classes))
        .contains("java.class.path", "keyward-cli-")
        .doesNotContain("keyward-testbed", "keyward-dev-");
  }

  private static Keyward checkout(String... arguments) {
    var words = new ArrayList<>(List.of("env", "KEYWARD_NO_BUILD=1"));
    words.add(ROOT.resolve("keyward").toString());
    words.addAll(List.of(arguments));
    return Keyward.process(Path.of("/dev/null"), words);
  }
}
