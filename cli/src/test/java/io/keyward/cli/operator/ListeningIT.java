package io.keyward.cli.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import io.keyward.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Health and metrics of the operator and the node agent, as processes without a cluster.
final class ListeningIT {
  private static final String UNREACHABLE =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: x, context: {cluster: c, user: u}}]
      current-context: x
      """;
  private static final String ANNOUNCED = "health and metrics on ";

  @TempDir private Path directory;
  private Path kubeconfig = Path.of("");

  @BeforeEach
  void unreachableCluster() throws IOException {
    kubeconfig = Files.writeString(directory.resolve("kubeconfig"), UNREACHABLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "operator",
        "node-agent --node n --server https://127.0.0.1:1 --encryption-config /none"
      })
  @Timeout(60) // a command that is not refused would run for ever
  void anUnprotectedAddressForOtherMachinesIsRefused(String command) {
    var words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of("--kubeconfig", kubeconfig.toString(), "--listen", "0.0.0.0:0"));

    Cli.Result refused = Cli.run(words.toArray(String[]::new));

    assertThat(refused.exit()).isEqualTo(64);
    assertThat(refused.err())
        .contains("other machines can reach 0.0.0.0:0: set --listen-tls-cert,")
        .contains("--listen-insecure");
  }

  @Test
  void anOperatorWithASlowClientStopsAtOnce() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "sesame\n");
    Process operator =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "operator",
                "--kubeconfig",
                kubeconfig.toString(),
                "--listen",
                "127.0.0.1:0",
                "--listen-token-file",
                token.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader log = operator.inputReader(UTF_8);
        var client = HttpClient.newHttpClient()) {
      URI root = announced(log);
      assertThat(status(client, root.resolve("/readyz"))).isEqualTo(200);
      assertThat(status(client, root.resolve("/metrics"))).isEqualTo(401);
      try (var slow = new Socket(InetAddress.getLoopbackAddress(), root.getPort())) {
        slow.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost: ".getBytes(UTF_8));
        operator.destroy(); // SIGTERM
        assertThat(operator.waitFor(8, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      operator.destroyForcibly();
    }
  }

  private static URI announced(BufferedReader log) throws IOException {
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      int at = line.indexOf(ANNOUNCED);
      if (at >= 0) {
        return URI.create(line.substring(at + ANNOUNCED.length()));
      }
    }
    throw new AssertionError("the operator did not say where it listens");
  }

  private static int status(HttpClient client, URI uri) throws Exception {
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()).statusCode();
  }
}
