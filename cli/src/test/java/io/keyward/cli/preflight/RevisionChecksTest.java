package io.keyward.cli.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import io.keyward.cli.plugin.RevisionFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Without plugins; with them, it is in RevisionPreflightTest.
final class RevisionChecksTest {
  @TempDir private Path directory;
  private RevisionFiles files = new RevisionFiles(Path.of(""), Path.of(""));
  private Path result = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    files = RevisionFiles.in(directory).keys(1, 2).vault(1, "https://vault.kms.svc:8200");
    files.vault(2, "https://vault.example.com:8200");
    result = directory.resolve("result");
  }

  private Cli.Result run(String key, Path to) {
    return Cli.run(
        "preflight",
        "--revision",
        files.directory().toString(),
        "--key",
        key,
        "--timeout",
        "10ms",
        "--result-file",
        to.toString());
  }

  @Test
  void writesTheResultInPlace() throws IOException {
    Files.writeString(result, "x".repeat(5_000));
    Object mounted = Files.getAttribute(result, "unix:ino");
    Cli.Result failed = run("1", result);
    assertThat(failed.exit()).as(failed.err()).isEqualTo(1);
    assertThat(failed.out())
        .contains("WARNING: the KMS at vault.kms.svc is reached through the cluster itself")
        .contains(
            "FAILED: key 1: there is no file at this path", "FAILED: key 2: there is no file");
    assertThat(Files.readString(result))
        .startsWith("{\"passed\":false,\"remoteKeyID\":\"\",\"detail\":\"there is no file at")
        .contains(". key 2: there is no file", "\"warnings\":[\"the KMS at");
    assertThat(Files.getAttribute(result, "unix:ino")).isEqualTo(mounted);
  }

  @Test
  void aRevisionThatCannotBeReadIsAResultToo() throws IOException {
    Cli.Result failed = run("7", result);
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.out()).contains("FAILED: ").contains("names no KMS key 7");
    assertThat(Files.readString(result)).contains("\"passed\":false", "names no KMS key 7");
  }

  @Test
  void aResultThatCannotBeWrittenIsAFailureOfTheCommand() {
    Cli.Result failed = run("1", directory.resolve("none/result"));
    assertThat(failed.exit()).isEqualTo(2);
    assertThat(failed.err()).contains("cannot write the result to", "NoSuchFileException");
  }

  @Test
  void needsAKey() {
    String[][] wrong = {
      {"preflight", "--revision", "/r"},
      {"preflight", "--key", "1"},
      {"preflight", "--revision", "/r", "--key", "1", "--endpoint", "unix:///s"},
      {"preflight", "--endpoint", "unix:///s", "--result-file", "/r"}
    };
    for (String[] words : wrong) {
      assertThat(Cli.run(words).exit()).isEqualTo(64);
      assertThat(Cli.run(words).err()).contains("--revision DIR and --key N together");
    }
  }
}
