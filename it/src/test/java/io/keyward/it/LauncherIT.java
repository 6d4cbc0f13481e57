package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launchers, wherever they lie and however they are called. The number in a name is that of
/// the finding from outside.
final class LauncherIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final String UNREACHABLE =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: x, context: {cluster: c, user: u}}]
      current-context: x
      """;

  @TempDir private Path directory;
  private Path moved = Path.of("");
  private Path snapshot = Path.of("");

  @BeforeEach
  void moveTheDistribution() throws Exception {
    // As an installation is: everybody may read it.
    assertThat(run("chmod", "755", directory.toString()).exitCode()).isZero();
    moved = Files.createDirectory(directory.resolve("a b#c&d\\ü"));
    assertThat(run("cp", "-a", Keyward.HOME.toString(), moved.toString()).exitCode()).isZero();
    snapshot = directory.resolve("cluster.db");
    Path packed = Path.of("../storage/src/test/resources/vectors/public-cluster.db.gz");
    try (var in = new GZIPInputStream(Files.newInputStream(packed))) {
      Files.copy(in, snapshot);
    }
  }

  private String launcher() {
    return moved.resolve("keyward/bin/keyward").toString();
  }

  @Test
  void finding18AStrangePathAndLocaleChangeNothing() throws Exception {
    Keyward audit =
        run("env", "LC_ALL=C", launcher(), "audit", "--snapshot", snapshot.toString(), "--needs");
    assertThat(audit.exitCode()).as(audit.err()).isZero();
    assertThat(audit.out()).startsWith("aescbc\tcbc-public\t-\n");
    Path colon = Files.createDirectory(directory.resolve("a:b"));
    Files.createSymbolicLink(colon.resolve("keyward"), moved.resolve("keyward"));
    assertThat(run(colon.resolve("keyward/bin/keyward").toString(), "version").exitCode())
        .as("a symlink is resolved first")
        .isZero();
    Path inside = colon.resolve("copy");
    assertThat(run("cp", "-a", Keyward.HOME.toString(), inside.toString()).exitCode()).isZero();
    Keyward refused = run(inside.resolve("bin/keyward").toString(), "version");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("has a colon in its path");
  }

  @Test
  void finding18WhatTheJvmSaysIsNoReport() throws Exception {
    Keyward audit =
        run(
            "env",
            "KEYWARD_JAVA_OPTS=-XX:+UseParallelGC",
            launcher(),
            "audit",
            "--snapshot",
            snapshot.toString());
    assertThat(audit.exitCode()).isNotZero();
    assertThat(audit.out()).isEmpty();
    assertThat(audit.err()).isNotEmpty();
  }

  @Test
  void finding19ASymlinkOnThePathIsFollowed() throws Exception {
    Path link = directory.resolve("keyward");
    Files.createSymbolicLink(link, Path.of(launcher()));
    Path second = directory.resolve("second");
    Files.createSymbolicLink(second, Path.of("keyward"));
    assertThat(run(second.toString(), "version").out()).startsWith("keyward ");
  }

  @Test
  void finding17TheBuildIsCalledFromAnywhere() throws Exception {
    String build = "cd / && exec \"$0\" -B -o -q -N validate";
    Keyward maven = run("sh", "-c", build, ROOT.resolve("mvnw").toString());
    assertThat(maven.exitCode()).as(maven.out() + maven.err()).isZero();
  }

  @Test
  void finding07ArgumentsAreUtf8WhateverTheLocale() throws Exception {
    Keyward unused =
        run(
            "env",
            "LC_ALL=C",
            launcher(),
            "audit",
            "--snapshot",
            snapshot.toString(),
            "--expect-encrypted",
            "x",
            "--allow-absent",
            "--expect-key",
            "schlüssel",
            "-o",
            "json");
    assertThat(unused.exitCode()).as(unused.err()).isZero();
    Keyward bytes =
        run(
            "sh",
            "-c",
            "exec \"$0\" audit --snapshot \"$1\" --unused-key \"$(printf 'schl\\374ssel')\"",
            launcher(),
            snapshot.toString());
    assertThat(bytes.exitCode()).isEqualTo(64);
    assertThat(bytes.err()).contains("not valid UTF-8");
  }

  @Test
  void finding01AFullDiskEndsWithTwo() throws Exception {
    Keyward full =
        run(
            "sh",
            "-c",
            "exec \"$0\" audit --snapshot \"$1\" --needs > /dev/full",
            launcher(),
            snapshot.toString());
    assertThat(full.exitCode()).isEqualTo(2);
    assertThat(full.err()).contains("cannot write to standard output: No space left on device");
  }

  @Test
  void theHelpThatTheLauncherPrintsIsThatOfTheProgram() throws Exception {
    Keyward printed = run(launcher(), "--help");
    Keyward program = run("env", "KEYWARD_DEV_CLASSPATH=/nowhere", launcher(), "--help");
    assertThat(printed.out()).isEqualTo(program.out()).contains("Commands:");
    assertThat(printed.exitCode()).isEqualTo(program.exitCode()).isZero();
    Keyward full = run("sh", "-c", "exec \"$0\" --help > /dev/full", launcher());
    assertThat(full.exitCode()).isEqualTo(2);
    assertThat(full.err()).contains("cannot write to standard output");
  }

  @Test
  void finding16WhatNeedsRootSaysSoAtOnce() throws Exception {
    String classPath = "KEYWARD_DEV_CLASSPATH=" + CheckoutJars.copiedTo(directory);
    for (String command : new String[] {"demo", "dev up --managed"}) {
      var words =
          new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
      words.addAll(List.of("env", classPath, launcher()));
      words.addAll(List.of(command.split(" ")));
      Keyward refused = run(words.toArray(String[]::new));
      assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
      assertThat(refused.err()).contains("needs root").contains("sudo keyward " + command);
    }
  }

  @Test
  void finding20AnOperatorWithoutAClusterDoesNotFillTheLog() throws Exception {
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), UNREACHABLE);
    Keyward operator =
        run("timeout", "15", launcher(), "operator", "--kubeconfig", kubeconfig.toString());
    assertThat(operator.err())
        .contains("https://127.0.0.1:1", "the connection is refused")
        .doesNotContain("\tat ");
    assertThat(operator.err().lines().count()).as(operator.err()).isLessThan(20);
  }

  @Test
  void finding21AFailureIsPrintedOnce() throws Exception {
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), UNREACHABLE);
    for (String command : new String[] {"status", "explain"}) {
      Keyward failed = run(launcher(), command, "--kubeconfig", kubeconfig.toString());
      assertThat(failed.exitCode()).isEqualTo(2);
      assertThat(failed.err().split("the connection is refused", -1)).as(failed.err()).hasSize(2);
    }
  }

  private static Keyward run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Keyward(process.exitValue(), out, err);
  }
}
