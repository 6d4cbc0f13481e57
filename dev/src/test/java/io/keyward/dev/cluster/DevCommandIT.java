package io.keyward.dev.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.keyward.cli.Keyward;
import io.keyward.testbed.process.ProcessIdentity;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// The life of a dev cluster, each command as a process of its own, as a shell runs it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class DevCommandIT {
  private static final Path KUBECTL = Path.of("/usr/bin/kubectl");
  private static final long PATIENCE_MINUTES = 20;

  private record Result(int exitCode, String out) {}

  @TempDir private static Path temporary;

  @AfterAll
  static void leaveNothingRunning() throws Exception {
    keyward("down");
  }

  @Test
  @Order(1)
  void upPrintsTheKubeconfigAndNothingElse() throws Exception {
    Result up = keyward("up");

    assertThat(up.exitCode()).isZero();
    assertThat(Path.of(up.out().strip())).isRegularFile();
    assertThat(Files.getPosixFilePermissions(directory())).hasSize(3);
  }

  @Test
  @Order(2)
  void theClusterOutlivesTheCommandThatStartedIt() throws Exception {
    JsonNode status = status(0);

    assertThat(status.path("state").asText()).isEqualTo("up");
    assertThat(status.path("servers")).hasSize(3);
  }

  @Test
  @Order(3)
  void kubectlCanUseIt() throws Exception {
    assumeTrue(Files.isExecutable(KUBECTL), "no kubectl on this machine");
    String kubeconfig = keyward("kubeconfig").out().strip();

    Result created =
        run(
            List.of(
                KUBECTL.toString(),
                "--kubeconfig=" + kubeconfig,
                "create",
                "secret",
                "generic",
                "word",
                "--from-literal=word=sesame"));

    assertThat(created.exitCode()).isZero();
    assertThat(created.out()).contains("secret/word created");
  }

  @Test
  @Order(4)
  void aSecondUpChangesNothing() throws Exception {
    byte[] before = Files.readAllBytes(directory().resolve("dev.json"));

    assertThat(keyward("up").exitCode()).isZero();

    assertThat(directory().resolve("dev.json")).hasBinaryContent(before);
  }

  @Test
  @Order(5)
  void aKilledServerIsNoticedAndBroughtBack() throws Exception {
    long etcd = statusOf("etcd", status(0)).path("pid").asLong();
    ProcessHandle.of(etcd).orElseThrow().destroyForcibly();
    assertThat(status(1).path("state").asText()).isEqualTo("half-dead");

    Result up = keyward("up");

    assertThat(up.exitCode()).isZero();
    assertThat(statusOf("etcd", status(0)).path("state").asText()).isEqualTo("ready");
  }

  @Test
  @Order(6)
  void logsShowTheServersWords() throws Exception {
    assertThat(keyward("logs", "etcd").out()).contains("127.0.0.1");
    assertThat(keyward("logs").out()).contains("kube-apiserver-0 | ");
    assertThat(keyward("logs", "kubelet").exitCode()).isEqualTo(64);
  }

  @Test
  @Order(7)
  void downLeavesNeitherProcessesNorFiles() throws Exception {
    List<Long> pids =
        status(0).path("servers").valueStream().map(one -> one.path("pid").asLong()).toList();

    assertThat(keyward("down").exitCode()).isZero();

    assertThat(pids).hasSize(3).allMatch(pid -> ProcessIdentity.of(pid).isEmpty());
    assertThat(directory()).doesNotExist();
    assertThat(status(1).path("state").asText()).isEqualTo("none");
  }

  private static JsonNode statusOf(String server, JsonNode status) {
    return status
        .path("servers")
        .valueStream()
        .filter(one -> one.path("name").asText().equals(server))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode status(int exitCode) throws Exception {
    Result result = keyward("status", "-o", "json");
    assertThat(result.exitCode()).isEqualTo(exitCode);
    return new JsonMapper().readTree(result.out());
  }

  private static Path directory() {
    return temporary.resolve("dev");
  }

  private static Result keyward(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Keyward.class.getName(), "dev"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--dir", directory().toString()));
    return run(command);
  }

  private static Result run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
    return new Result(process.exitValue(), out);
  }
}
