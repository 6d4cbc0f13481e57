package io.keyward.cli.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `keyward status` as a process: Ctrl-C, a terminal, and `KUBECONFIG`. The cluster does not
/// respond.
final class WatchIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String VERDICT = "Unknown: the state of kube-apiserver cannot be read\n";

  @TempDir private Path directory;
  private Path out;
  private Path err;

  @BeforeEach
  void prepare() throws IOException {
    out = directory.resolve("out");
    err = directory.resolve("err");
    Files.writeString(
        directory.resolve("operator.yaml"), "apiServers: [{operatorResource: kubeapiservers}]\n");
    Files.writeString(directory.resolve("one"), kubeconfig("one", 1));
    Files.writeString(directory.resolve("two"), kubeconfig("two", 2));
  }

  private static String kubeconfig(String name, int port) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: %1$s, cluster: {server: "https://127.0.0.1:%2$d"}}]
    users: [{name: %1$s, user: {token: t}}]
    contexts: [{name: %1$s, context: {cluster: %1$s, user: %1$s}}]
    current-context: %1$s
    """
        .formatted(name, port);
  }

  @Test
  void ctrlCEndsAWatchCleanly() throws Exception {
    Process watch = start(List.of("env", "--default-signal=INT"), "status", "--watch");
    await(() -> Files.readString(err).contains("the connection is refused"));
    new ProcessBuilder("kill", "-INT", Long.toString(watch.pid())).start().waitFor();
    assertThat(watch.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(watch.exitValue()).isZero();
    assertThat(out).content().isEqualTo(VERDICT);
    assertThat(Files.readString(err).split("the connection is refused", -1))
        .as("a problem that lasts is reported once")
        .hasSize(2);
  }

  @Test
  void aTerminalIsRedrawn() throws Exception {
    String command = String.join(" ", quoted(command("status", "--watch")));
    Process terminal = started(List.of("script", "-qec", command, "/dev/null"));
    await(() -> Files.readString(out, UTF_8).contains("the connection is refused"));
    terminal.descendants().forEach(ProcessHandle::destroy);
    assertThat(terminal.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(out, UTF_8).replace("\r\n", "\n"))
        .startsWith("\u001b[H\u001b[J" + VERDICT);
  }

  @Test
  void theVariableListsKubeconfigsAndAContextChoosesOne() throws Exception {
    assertThat(failure()).contains("https://127.0.0.1:1");
    assertThat(failure("--context", "two")).contains("https://127.0.0.1:2");
    assertThat(failure("--context", "three")).contains("context three does not exist in");
    assertThat(failure("--kubeconfig", directory.resolve("two").toString()))
        .contains("https://127.0.0.1:2");
  }

  private String failure(String... options) throws Exception {
    var words = new ArrayList<>(List.of("status"));
    words.addAll(List.of(options));
    Process process = start(List.of(), words.toArray(String[]::new));
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
    return Files.readString(err);
  }

  private List<String> command(String... words) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(words));
    command.addAll(List.of("--config", directory.resolve("operator.yaml").toString()));
    return command;
  }

  private static List<String> quoted(List<String> words) {
    return words.stream().map(word -> "'" + word + "'").toList();
  }

  private Process start(List<String> before, String... words) throws IOException {
    var command = new ArrayList<>(before);
    command.addAll(command(words));
    return started(command);
  }

  private Process started(List<String> command) throws IOException {
    Files.writeString(out, "");
    Files.writeString(err, "");
    var builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder
        .environment()
        .put(
            "KUBECONFIG",
            directory.resolve("missing")
                + ":"
                + directory.resolve("one")
                + ":"
                + directory.resolve("two"));
    return builder.start();
  }

  private interface Expectation {
    boolean holds() throws IOException;
  }

  private static void await(Expectation expectation) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!expectation.holds()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
