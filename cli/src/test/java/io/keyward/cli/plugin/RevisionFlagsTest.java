package io.keyward.cli.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RevisionFlagsTest {
  private static final String GOOD = "https://vault.example.com:8200";
  private static final String PLAIN = "http://vault.example.com:8200";

  @TempDir private Path directory;
  private RevisionFiles files = new RevisionFiles(Path.of(""), Path.of(""));

  @BeforeEach
  void prepare() throws IOException {
    files = RevisionFiles.in(directory);
  }

  private Cli.Result check(String... more) {
    var words = new ArrayList<>(List.of("plugin", "--check", "--revision"));
    words.add(files.directory().toString());
    words.addAll(List.of(more));
    return Cli.run(words.toArray(String[]::new));
  }

  @Test
  void aKeyWhoseProviderRefusesItsSettingsIsLeftOut() throws IOException {
    files.keys(3, 2, 1).vault(1, GOOD).vault(2, PLAIN).external(3);
    Cli.Result good = check();
    assertThat(good.exit()).as(good.err()).isZero();
    assertThat(good.err()).contains("key 2 is left out: setting 'address': must be https");
    Cli.Result bad = check("--keys", "2");
    assertThat(bad.exit()).isEqualTo(2);
    assertThat(bad.err()).contains("key 2: setting 'address': must be https");
    assertThat(check("--keys", "2", "--monitor-file", "/f").exit())
        .as("it still monitors")
        .isZero();
  }

  @Test
  void withoutAnyKeyThereMustBeSomethingToMonitor() throws IOException {
    files.keys(3).external(3);
    Cli.Result nothing = check();
    assertThat(nothing.exit()).isEqualTo(2);
    assertThat(nothing.err()).contains("no KMS key that this plugin serves");
    assertThat(check("--keys", "none", "--monitor-file", "/f").exit()).isZero();
    Cli.Result noFiles = Cli.run("plugin", "--revision", "/nowhere", "--monitor-file", "/f");
    assertThat(noFiles.exit()).isEqualTo(2);
    assertThat(noFiles.err()).contains("/nowhere/encryption-config: does not exist");
  }

  /// They restrict the sockets as with a configuration file.
  @Test
  void flagsOfTheSocketAreCheckedOnce() throws IOException {
    files.keys(2, 1).vault(1, GOOD).vault(2, GOOD);
    assertThat(check("--socket-mode", "0660").exit()).isZero();
    Cli.Result refused = check("--socket-mode", "0666");
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).containsOnlyOnce("must not let everybody in");
  }

  @ParameterizedTest
  @CsvSource({
    "--keys none, use --keys none with --monitor-file",
    "--keys none --keys 1 --monitor-file /f, not with both",
    "--component x, with --monitor-file",
    "--monitor-interval 5s, with --monitor-file",
    "--monitor-file /f --monitor-interval 10ms, between 1s and 10m",
    "--name x, without the flags of a key",
  })
  void combinationsWithoutAMeaningAreRefused(String words, String problem) {
    Cli.Result result = check(words.split(" "));
    assertThat(result.exit()).isEqualTo(64);
    assertThat(result.err()).contains(problem);
  }

  @Test
  void theOptionsNeedARevision() {
    Cli.Result result = Cli.run("plugin", "--config", "/f", "--monitor-file", "/f");
    assertThat(result.exit()).isEqualTo(64);
    assertThat(result.err()).contains("with --revision");
  }
}
