package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.keyward.testbed.kubeadm.ContainerHost;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The image, run by containerd as a pod would: not as root, and with a read-only root.
final class ImageIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final long LARGEST = 220_000_000L;
  private static final String JAVA = "/opt/keyward/runtime/bin/java";

  @TempDir private static Path directory;
  private static @Nullable PrivateContainerd running;
  private static String image = "";

  @BeforeAll
  static void importTheImage() throws IOException {
    ContainerHost.problem()
        .ifPresent(problem -> {
          if (Boolean.getBoolean("noContainers")) {
            abort(problem);
          }
          fail(problem + " To leave these tests out: ./mvnw verify -DnoContainers");
        });
    var containerd = PrivateContainerd.start(directory);
    running = containerd;
    Keyward imported =
        containerd.ctr("images", "import", Artefacts.one("keyward-*-image-amd64.tar").toString());
    assertThat(imported.exitCode()).as(imported.err()).isZero();
    image = containerd.ctr("images", "ls", "-q").out().strip();
  }

  @AfterAll
  static void stop() {
    if (running != null) {
      running.close();
    }
  }

  private static PrivateContainerd containerd() {
    return Objects.requireNonNull(running);
  }

  @Test
  void runsEveryCommandByItsEntrypoint() {
    assertThat(image).isEqualTo("localhost/keyward:" + Artefacts.version());
    assertThat(containerd().ctr("run", "--rm", "--read-only", image, "help").out())
        .contains("Usage: keyward", "  audit ");
    assertThat(java("keyward.args", "version").out()).isEqualTo(Keyward.run("version").out());
    Keyward notReady = java("plugin-ready.args", "/none");
    assertThat(notReady.exitCode()).isEqualTo(1);
    assertThat(notReady.err()).contains("no plugin accepts connections on /none");
    for (String command : List.of("operator", "node-agent", "audit")) {
      Keyward help = java(command + ".args", command, "--help");
      assertThat(help.exitCode()).as(help.err()).isZero();
      assertThat(help.out()).contains("Usage: keyward " + command);
    }
  }

  /// AOTMode=on ends the JVM if it cannot use the cache.
  @Test
  void servesAPluginWithItsAotCache() throws Exception {
    Path settings = Files.createDirectory(directory.resolve("settings"));
    Path sockets = Files.createDirectory(directory.resolve("sockets"));
    Files.writeString(settings.resolve("password"), "a password\n");
    assertThat(
            Keyward.run(
                    "keystore",
                    "create",
                    "--keystore",
                    settings.resolve("keys").toString(),
                    "--password-file",
                    settings.resolve("password").toString())
                .exitCode())
        .isZero();
    Files.writeString(
        settings.resolve("plugin.yaml"),
        """
        keys:
          - name: image
            socket: /run/keyward/s
            provider: local
            local: {keystore: /etc/keyward/keys, passwordFile: /etc/keyward/password}
        """);
    assertThat(owned(settings) + owned(sockets)).isZero();

    containerd()
        .detach(
            "plugin",
            List.of(
                "--mount",
                "type=bind,src=" + settings + ",dst=/etc/keyward,options=rbind:ro",
                "--mount",
                "type=bind,src=" + sockets + ",dst=/run/keyward,options=rbind:rw"),
            image,
            List.of(
                JAVA,
                "-XX:AOTMode=on",
                "@/opt/keyward/lib/plugin.args",
                "plugin",
                "--config",
                "/etc/keyward/plugin.yaml"));

    Path socket = sockets.resolve("s");
    assertThat(Waiting.until(() -> Files.exists(socket), LIMIT)).isTrue();
    assertThat(Files.getAttribute(socket, "unix:uid")).isEqualTo(65532);
    Keyward preflight = Keyward.run("preflight", "--endpoint", "unix://" + socket);
    assertThat(preflight.exitCode()).as(preflight.out() + preflight.err()).isZero();
  }

  @Test
  void isSmallAndContainsNothingForTestsAndNoShell() throws IOException {
    Path root = Files.createDirectory(directory.resolve("mounted"));
    assertThat(containerd().ctr("images", "mount", image, root.toString()).exitCode()).isZero();
    try (Stream<Path> walk = Files.walk(root)) {
      List<Path> files = walk.filter(Files::isRegularFile).toList();
      assertThat(files.stream().map(file -> root.relativize(file).toString()))
          .anyMatch(name -> name.startsWith("opt/keyward/lib/keyward-cli-"))
          .noneMatch(name -> name.matches(".*/keyward-(testbed|testkit|dev|kms-fakes|kms-tck)-.*"))
          .noneMatch(name -> name.matches(".*bin/(ba|da|)sh"));
      assertThat(files.stream().mapToLong(ImageIT::size).sum()).isLessThanOrEqualTo(LARGEST);
    } finally {
      var _ = containerd().ctr("images", "unmount", root.toString());
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Keyward java(String arguments, String... words) {
    var all = new ArrayList<>(List.of("run", "--rm", "--read-only", image, "once", JAVA));
    all.add("@/opt/keyward/lib/" + arguments);
    all.addAll(List.of(words));
    return containerd().ctr(all.toArray(String[]::new));
  }

  private static int owned(Path path) {
    return Keyward.process(
            Path.of("/dev/null"),
            List.of("sh", "-c", "chown -R 65532:65532 \"$0\" && chmod 700 \"$0\"", path.toString()))
        .exitCode();
  }
}
