package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A copy of this machine without a JDK and with its own systemd. What a test installs there never
/// reaches the machine, and is gone when the copy is closed.
final class PrivateMachine implements AutoCloseable {
  /// Where the copy sees the artefacts of the build.
  static final String ARTEFACTS = "/mnt/";

  private static final Duration BOOT = Duration.ofSeconds(60);
  private static final String SYSTEMD = "systemd";

  private final Path directory;
  private final Process process;

  private PrivateMachine(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
  }

  /// @param directory empty; the layer of changes is mounted on it
  static PrivateMachine boot(Path directory) throws IOException, URISyntaxException {
    KubeadmAdmin.requireContainers();
    var script =
        Objects.requireNonNull(PrivateMachine.class.getResource("private-machine.sh")).toURI();
    Process process =
        new ProcessBuilder(
                "sh", Path.of(script).toString(), directory.toString(), Artefacts.TARGET.toString())
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var machine = new PrivateMachine(directory, process);
    assertThat(Waiting.until(machine::isBooted, BOOT)).as("systemd boots").isTrue();
    return machine;
  }

  private boolean isBooted() {
    return init().isPresent() && tried("systemctl", "is-active", "basic.target").exitCode() == 0;
  }

  /// The first process of the copy, as this machine sees it.
  private Optional<String> init() {
    return process
        .descendants()
        .filter(child -> comm(child.pid()).equals(SYSTEMD))
        .map(child -> Long.toString(child.pid()))
        .findFirst();
  }

  private static String comm(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/comm")).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /// What a command of the copy's root user prints. It has no variables but a path and a home.
  String run(String... command) {
    Keyward result = tried(command);
    assertThat(result.exitCode())
        .as(String.join(" ", command) + "\n" + result.out() + result.err())
        .isZero();
    return result.out() + result.err();
  }

  Keyward tried(String... command) {
    return fed(Path.of("/dev/null"), command);
  }

  /// Copies a file of this machine; the copy may not see it.
  void receive(Path file, String target) {
    Keyward result = fed(file, "sh", "-c", "cat >\"$0\"", target);
    assertThat(result.exitCode()).as(result.err()).isZero();
  }

  private Keyward fed(Path input, String... command) {
    var all = new ArrayList<>(List.of("nsenter", "-t", init().orElseThrow()));
    all.addAll(List.of("-m", "-p", "-C", "-n", "-u", "-i", "--root", "--"));
    all.addAll(
        List.of("env", "-i", "--chdir=/", "HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"));
    all.addAll(List.of(command));
    return Keyward.process(input, all);
  }

  /// Runs a script as an administrator would paste it.
  String shell(String script) {
    return run("sh", "-ec", script);
  }

  /// Files and directories that exist in the copy alone and have `keyward` in their path.
  List<String> left() {
    Path upper = directory.resolve("upper");
    Keyward found =
        Keyward.process(
            Path.of("/dev/null"),
            List.of(
                "nsenter",
                "-t",
                // The process outside the copy: the copy does not see its own layer.
                Long.toString(process.pid()),
                "-m",
                "find",
                upper.toString(),
                "-path",
                upper + "*keyward*",
                // man(1) keeps a copy of the pages that systemd-analyze asked for.
                "!",
                "-path",
                upper + "/var/cache/man/*",
                // Deleted files of the machine are devices in this layer.
                "!",
                "-type",
                "c",
                "-printf",
                "/%P\n"));
    assertThat(found.exitCode()).as(found.err()).isZero();
    return found.out().lines().sorted().toList();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    assertThat(Waiting.until(() -> !process.isAlive(), BOOT)).as("the copy stops").isTrue();
  }
}
