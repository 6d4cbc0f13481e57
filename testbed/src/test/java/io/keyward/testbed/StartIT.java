package io.keyward.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts that go wrong, and starts in parts.
final class StartIT {
  @TempDir private Path directory;

  @Test
  void aPortThatSomebodyTookIsReplaced() throws IOException {
    try (ControlPlane plane = ControlPlane.builder(directory).create()) {
      URI wanted = plane.etcd().url();
      try (var _ = new ServerSocket(wanted.getPort(), 1, InetAddress.getLoopbackAddress())) {
        plane.etcd().startReady();
      }

      assertThat(plane.etcd().url()).isNotEqualTo(wanted);
      assertThat(plane.etcd().isReady()).isTrue();
    }
  }

  @Test
  void aServerThatEndsDuringStartIsToldWithItsLastWords() {
    try (ControlPlane plane =
        ControlPlane.builder(directory).apiServerArguments("--no-such-flag").create()) {
      assertThatThrownBy(plane::start)
          .isInstanceOf(TestbedException.class)
          .hasMessageContaining("kube-apiserver-0 ended during start with exit code 1")
          .hasMessageContaining("unknown flag: --no-such-flag");
    }
  }

  @Test
  void whatDidStartIsEndedWhereTheRestFails() {
    assertThatThrownBy(ControlPlane.builder(directory).apiServerArguments("--no-such-flag")::start)
        .isInstanceOf(TestbedException.class);

    assertThat(ProcessHandle.allProcesses().map(handle -> handle.info().commandLine()))
        .noneMatch(line -> line.filter(text -> text.contains(directory.toString())).isPresent());
  }

  @Test
  void aStartedApiServerUsesTheEncryptionConfigurationItFinds() {
    try (ControlPlane plane = ControlPlane.builder(directory).create()) {
      plane.etcd().startReady();
      ApiServer api = plane.apiServer(0);
      api.writeEncryptionConfig(
          """
          apiVersion: apiserver.config.k8s.io/v1
          kind: EncryptionConfiguration
          resources:
          - resources: [secrets]
            providers:
            - aescbc:
                keys:
                - name: first
                  secret: c2VjcmV0IGlzIHNlY3VyZQ==
          """);
      api.useArguments("--encryption-provider-config-automatic-reload=true");
      api.start();
      api.awaitReady(Duration.ofMinutes(1));

      api.client()
          .post(
              "/api/v1/namespaces/default/secrets",
              "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"a\"}}");

      assertThat(
              new String(
                  plane.etcdctl("get", "/registry/secrets/default/a", "--print-value-only"),
                  StandardCharsets.ISO_8859_1))
          .startsWith("k8s:enc:aescbc:v1:first:");
      assertThat(api.metrics()).contains("apiserver_encryption_config_controller");
    }
  }

  @Test
  void keysAreForTheirOwnerOnly() throws IOException {
    try (ControlPlane _ = ControlPlane.builder(directory.resolve("plane")).create();
        Stream<Path> files = Files.walk(directory.resolve("plane").resolve("pki"))) {
      assertThat(files.filter(Files::isRegularFile).toList())
          .isNotEmpty()
          .allSatisfy(file ->
              assertThat(Files.getPosixFilePermissions(file))
                  .isEqualTo(PosixFilePermissions.fromString("rw-------")));
    }
  }

  @Test
  void socketsFitWhereTheDirectoryIsLong() throws IOException {
    Path deep = directory.resolve("d".repeat(120));
    Path sockets;
    try (ControlPlane plane = ControlPlane.builder(deep).create()) {
      sockets = plane.apiServer(0).socketDirectory();

      assertThat(sockets.toString().length()).isLessThan(65);
      assertThat(Files.getPosixFilePermissions(sockets))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
    assertThat(sockets).doesNotExist();
  }
}
