package io.keyward.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    assertThatThrownBy(() -> Kubeconfig.read(file))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(message)
        .hasMessageNotContaining("very-secret");
  }

  @Test
  void finding11AMissingKubeconfigIsNamed() {
    assertThatThrownBy(() -> Kubeconfig.read(directory.resolve("none")))
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> Kubeconfig.read(directory)).hasMessageContaining("is a directory");
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
