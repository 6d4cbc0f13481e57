package io.keyward.kube.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public final class InstallerTest {
  private final List<String> writes = new CopyOnWriteArrayList<>();

  /// As an API server before Kubernetes 1.30 answers.
  @Test
  void aPolicyIsSkippedWhereTheServerHasNone(@TempDir Path directory) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
    Path file =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """
                .formatted(server.getAddress().getPort()));
    var log = new ArrayList<String>();
    try (var api = Api.connect(Optional.of(file), Optional.empty())) {
      var policy =
          ObjectMeta.fresh(
              "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "keyward-migrator");
      var account = ObjectMeta.fresh("v1", "ServiceAccount", "keyward-migrator");
      account.withObject("/metadata").put("namespace", "keyward-system");
      new Installer(api)
          .install(
              new InstallPlan(
                  List.of(
                      new InstallPlan.Part(policy, InstallPlan.Mode.APPLY_IF_SERVED),
                      new InstallPlan.Part(account, InstallPlan.Mode.APPLY))),
              log::add);
    } finally {
      server.stop(0);
    }
    assertThat(log)
        .containsExactly(
            "validatingadmissionpolicy.admissionregistration.k8s.io/keyward-migrator skipped: this"
                + " API server does not serve its kind",
            "serviceaccount/keyward-migrator created");
    assertThat(writes)
        .containsExactly("/api/v1/namespaces/keyward-system/serviceaccounts/keyward-migrator");
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean isRead = exchange.getRequestMethod().equals("GET");
      if (!isRead) {
        writes.add(exchange.getRequestURI().getPath());
      }
      byte[] body = "{}".getBytes(UTF_8);
      exchange.sendResponseHeaders(isRead ? 404 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
