package io.keyward.kube.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When tokens are requested, and which one a request carries. The server issues `t-1`, `t-2` and
/// so on, each for an hour.
public final class MigratorAccountTest {
  private static final String TOKEN =
      "/api/v1/namespaces/keyward-system/serviceaccounts/keyward-migrator/token";
  private static final String ISSUED =
      "{\"spec\":{\"expirationSeconds\":3600},\"status\":{\"token\":\"t-%d\"}}";

  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger status = new AtomicInteger(201);
  private final AtomicReference<String> answer = new AtomicReference<>(ISSUED);
  private final AtomicReference<String> seen = new AtomicReference<>("");
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private HttpServer server;
  private Api operator;
  private MigratorAccount account;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
    Path file = directory.resolve("kubeconfig");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: u, user: {token: operator}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(server.getAddress().getPort()));
    operator = Api.connect(Optional.of(file), Optional.empty());
    account = MigratorAccount.in("keyward-system", operator, nanos::get);
  }

  @AfterEach
  void stop() {
    account.close();
    operator.close();
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String user = exchange.getRequestHeaders().getFirst("Authorization");
      boolean isToken = exchange.getRequestURI().getPath().equals(TOKEN);
      if (!isToken) {
        seen.set(user);
      }
      boolean isOperator = user.equals("Bearer operator");
      int code = isToken ? (isOperator ? status.get() : 403) : 200;
      String text = isToken ? answer.get().formatted(requests.incrementAndGet()) : "{}";
      byte[] bytes = text.getBytes(UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private String user() {
    account.api().get("/anything");
    return seen.get();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    account.renewIfDue();
  }

  @Test
  void aTokenServesForHalfOfItsLifetime() {
    assertThat(requests).hasValue(0);
    assertThat(user()).isEqualTo("Bearer t-1");
    pass(Duration.ofMinutes(29));
    assertThat(user()).isEqualTo("Bearer t-1");
    pass(Duration.ofMinutes(1));
    assertThat(user()).isEqualTo("Bearer t-2");
    assertThat(requests).hasValue(2);
  }

  @Test
  void theLifetimeIsTheOneThatTheServerGranted() {
    answer.set("{\"spec\":{\"expirationSeconds\":600},\"status\":{\"token\":\"t-%d\"}}");
    assertThat(user()).isEqualTo("Bearer t-1");
    pass(Duration.ofMinutes(5));
    assertThat(user()).isEqualTo("Bearer t-2");
  }

  @Test
  void aTokenIsUsedUntilItsEndWhereThereIsNoOther() {
    assertThat(user()).isEqualTo("Bearer t-1");
    status.set(500);
    pass(Duration.ofMinutes(59));
    assertThat(user()).isEqualTo("Bearer t-1");
    assertThatThrownBy(() -> pass(Duration.ofMinutes(1)))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("500");
    status.set(201);
    pass(Duration.ZERO);
    assertThat(user()).startsWith("Bearer t-").isNotEqualTo("Bearer t-1");
  }

  @Test
  void aRejectedTokenIsReplacedUnlessItIsNew() {
    assertThat(user()).isEqualTo("Bearer t-1");
    account.rejected();
    assertThat(user()).isEqualTo("Bearer t-1");
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    account.rejected();
    account.rejected();
    assertThat(user()).isEqualTo("Bearer t-2");
    assertThat(requests).hasValue(2);
  }

  @Test
  void withoutATokenTheRemedyIsNamed() {
    answer.set("{}");
    assertThatThrownBy(account::api)
        .hasMessageContaining("issues no token for ServiceAccount keyward-migrator")
        .hasMessageContaining("--service-account-issuer");
    status.set(404);
    assertThatThrownBy(account::api)
        .hasMessageContaining("ServiceAccount keyward-migrator in keyward-system is missing")
        .hasMessageContaining("keyward operator install");
    status.set(403);
    assertThatThrownBy(account::api).hasMessageContaining("keyward operator install");
  }

  @Test
  void requestsOfTheAccountCountAsRequestsOfTheOperator() {
    user();
    long before = operator.sent();
    user();
    assertThat(operator.sent()).isEqualTo(before + 1);
  }
}
