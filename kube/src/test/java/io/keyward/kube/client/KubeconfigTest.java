package io.keyward.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public final class KubeconfigTest {
  @TempDir private Path directory;

  private Path kubeconfig(String server) throws IOException {
    return Files.writeString(
        directory.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {token: very-secret}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(server));
  }

  /// A server that does not speak TLS: the client library would send the token in plain HTTP.
  @Test
  void finding09AServerWithoutASchemeIsRefusedAndNeverCalled() throws IOException {
    try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Path file = kubeconfig("127.0.0.1:" + server.getLocalPort());
      assertThatThrownBy(() -> Api.connect(Optional.of(file), Optional.empty()).close())
          .isInstanceOf(ClusterFailure.class)
          .hasMessageContaining("without a scheme")
          .hasMessageContaining("https://")
          .hasMessageNotContaining("very-secret");
      assertThatThrownBy(() ->
              Api.connect(
                      Optional.of(kubeconfig("https://127.0.0.1:1")),
                      Optional.of("127.0.0.1:" + server.getLocalPort()))
                  .close())
          .isInstanceOf(ClusterFailure.class)
          .hasMessageContaining("--server");
      server.setSoTimeout(200);
      assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # content                     | message
          ''                            | is empty
          'clusters: []'                | names no cluster
          'clusters: ['                 | is not a kubeconfig
          'very-secret'                 | is not a kubeconfig
          """)
  void finding11ABrokenKubeconfigIsNamed(String content, String message) throws IOException {
    Path file = Files.writeString(directory.resolve("broken"), content);
    assertThatThrownBy(() -> Kubeconfig.read(List.of(file), Optional.empty()))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(message)
        .hasMessageNotContaining("very-secret");
  }

  @Test
  void finding11AMissingKubeconfigIsNamed() {
    assertThatThrownBy(() -> Kubeconfig.read(List.of(directory.resolve("none")), Optional.empty()))
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> Kubeconfig.read(List.of(directory), Optional.empty()))
        .hasMessageContaining("is a directory");
  }

  private Path named(String file, String name, String more) throws IOException {
    return Files.writeString(
        Files.createDirectories(directory.resolve(file)).resolve("config"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: %1$s, cluster: {server: "https://%1$s:1"}}]
        users: [{name: u, user: {token: %1$s}}]
        contexts: [{name: %1$s, context: {cluster: %1$s, user: u}}]
        %2$s
        """
            .formatted(name, more));
  }

  @Test
  void ofSeveralFilesTheFirstCounts() throws IOException {
    Path none = named("none", "none", "");
    Path red = named("red", "red", "current-context: red");
    Path blue = named("blue", "blue", "current-context: blue");
    Path empty = Files.createFile(directory.resolve("empty"));

    Config merged = Kubeconfig.read(List.of(empty, none, red, blue), Optional.empty());
    assertThat(merged.getMasterUrl()).startsWith("https://red:1");
    assertThat(Arrays.asList(merged.getOauthToken(), merged.getAutoOAuthToken()))
        .as("the first user of that name")
        .contains("none");
    Config chosen = Kubeconfig.read(List.of(none, red, blue), Optional.of("blue"));
    assertThat(chosen.getMasterUrl()).startsWith("https://blue:1");
    assertThatThrownBy(() -> Kubeconfig.read(List.of(none), Optional.empty()))
        .hasMessageContaining("has no current context")
        .hasMessageContaining("--context");
    assertThatThrownBy(() -> Kubeconfig.read(List.of(none, red), Optional.of("blue")))
        .hasMessageContaining("context blue does not exist in")
        .hasMessageContaining(red.toString());
  }

  @Test
  void pathsAreRelativeToTheirFile() throws IOException {
    Path file = directory.resolve("relative");
    Files.writeString(
        file,
        """
        clusters: [{name: c, cluster: {server: "https://c:1", certificate-authority: pki/ca.crt}}]
        users: [{name: u, user: {client-certificate: ../u.crt, client-key: /pki/u.key}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """);
    Config config = Kubeconfig.read(List.of(file), Optional.empty());
    assertThat(config.getCaCertFile()).isEqualTo(directory.resolve("pki/ca.crt").toString());
    assertThat(config.getClientCertFile()).isEqualTo(directory.resolveSibling("u.crt").toString());
    assertThat(config.getClientKeyFile()).isEqualTo("/pki/u.key");
  }

  @Test
  void theVariableListsFilesAndReplacesTheHomeDirectory() throws IOException {
    Path one = named("one", "one", "");
    Path two = named("two", "two", "");
    Path home = directory.resolve("home");
    Path usual = Files.createFile(Files.createDirectories(home.resolve(".kube")).resolve("config"));
    String list = one + "::" + directory.resolve("missing") + ":" + two + ":" + one;

    assertThat(Kubeconfig.files(Map.of("KUBECONFIG", list)::get, home.toString()))
        .containsExactly(one, two);
    assertThat(Kubeconfig.files(Map.of("KUBECONFIG", "")::get, home.toString()))
        .containsExactly(usual);
    assertThat(Kubeconfig.files(Map.<String, String>of()::get, home.toString()))
        .containsExactly(usual);
    assertThat(Kubeconfig.files(Map.<String, String>of()::get, directory.toString())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "https://127.0.0.1:1, the connection is refused",
    "https://nowhere.invalid:6443, the host name is unknown"
  })
  void finding21TheAddressAndTheReasonAreTold(String server, String reason) throws IOException {
    try (Api api = Api.connect(Optional.of(kubeconfig(server)), Optional.empty())) {
      assertThatThrownBy(() -> api.get("/version"))
          .isInstanceOf(ClusterFailure.class)
          .hasMessageContaining(server)
          .hasMessageContaining(reason);
    }
  }

  @Test
  void finding21ACertificateOfAnotherCaIsNamed() {
    var cause = new java.security.cert.CertificateException("PKIX path building failed");
    var tls = new javax.net.ssl.SSLHandshakeException("handshake");
    tls.initCause(cause);
    assertThat(Unreachable.why(new IOException("wrapped", tls)))
        .contains("not signed by the CA of the kubeconfig");
  }
}
