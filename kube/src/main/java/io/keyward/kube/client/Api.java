package io.keyward.kube.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/// Plain requests to an API server. Nothing is cached and nothing is tried again here: whoever asks
/// knows whether a second try is safe.
public final class Api implements Reads, AutoCloseable {
  public static final ObjectMapper JSON = new ObjectMapper();
  public static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int BUSY_TRIES = 10;
  private static final int FORBIDDEN = 403;

  /// All requests and watches share one HTTP/2 connection, on which servers allow 100 streams or
  /// more. The client library fails a request above the limit instead of queueing it.
  private static final int REQUESTS_AT_ONCE = 64;

  private final KubernetesClient client;
  private final String server;
  private final ClientCredentials credentials;
  private final LongAdder sent;
  private final Optional<Api> fallback;
  private final Semaphore inFlight = new Semaphore(REQUESTS_AT_ONCE, true);

  private Api(KubernetesClient client, ClientCredentials credentials, LongAdder sent) {
    this(client, credentials, sent, Optional.empty());
  }

  private Api(
      KubernetesClient client,
      ClientCredentials credentials,
      LongAdder sent,
      Optional<Api> fallback) {
    this.client = client;
    this.credentials = credentials;
    this.sent = sent;
    this.fallback = fallback;
    String url = client.getMasterUrl().toString();
    this.server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /// What a server said.
  public record Answer(int status, String body, Optional<Duration> retryAfter) {
    public boolean isOk() {
      return status / 100 == 2;
    }
  }

  /// Connects with the current context of a kubeconfig, or as a pod does where there is none.
  ///
  /// @param server another address of the cluster, with the same credentials
  public static Api connect(Optional<Path> kubeconfig, Optional<String> server) {
    return connect(ClusterAccess.of(kubeconfig), server);
  }

  /// Connects as kubectl does.
  ///
  /// @param server another address of the cluster, with the same credentials
  public static Api connect(ClusterAccess access, Optional<String> server) {
    // The client library logs to nobody here, and need not say so in front of every command.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    server.ifPresent(url -> Kubeconfig.checkServer("--server", url));
    Config base = Kubeconfig.read(access);
    try {
      var credentials = ClientCredentials.of(base);
      var wanted =
          new ConfigBuilder(credentials.config())
              .withRequestRetryBackoffLimit(0)
              .withConnectionTimeout(5_000)
              .withRequestTimeout((int) TIMEOUT.toMillis());
      server.ifPresent(wanted::withMasterUrl);
      return new Api(
          new KubernetesClientBuilder().withConfig(wanted.build()).build(),
          credentials,
          new LongAdder());
    } catch (IOException | KubernetesClientException e) {
      String what = "cannot use the credentials of the kubeconfig: ";
      throw new ClusterFailure(what + Unreachable.why(e), e);
    }
  }

  /// The same server, and another one for requests that it does not respond to. For requests that
  /// may be repeated: perhaps only the response was lost.
  public Api orElse(Api other) {
    return new Api(client, credentials, sent, Optional.of(other));
  }

  /// The same server for another user. What it sends is counted here, too.
  ///
  /// @param token of that user, asked for with every request
  public Api as(Supplier<String> token) {
    var credentials = ClientCredentials.ofToken(client.getConfiguration(), token);
    return new Api(
        new KubernetesClientBuilder().withConfig(credentials.config()).build(), credentials, sent);
  }

  /// Whether the files with the credentials were replaced since this connected, for example because
  /// a certificate was renewed. Connect again then.
  public boolean hasStaleCredentials() {
    return credentials.areReplaced();
  }

  /// When the client certificate is valid; empty for other credentials.
  public Optional<CertificateLife> certificateLife() {
    return CertificateLife.of(credentials.config().getClientCertData());
  }

  /// The URL of the server that it talks to.
  public String server() {
    return server;
  }

  public KubernetesClient client() {
    return client;
  }

  @Override
  public Optional<ObjectNode> get(String path) {
    Answer answer = send("GET", path, "application/json", "");
    return answer.status() == 404 ? Optional.empty() : Optional.of(object("GET " + path, answer));
  }

  public String text(String path) {
    Answer answer = send("GET", path, "application/json", "");
    if (!answer.isOk()) {
      throw failure("GET", path, answer);
    }
    return answer.body();
  }

  @Override
  public List<ObjectNode> list(String path, Labels labels) {
    String all = path + labels.query();
    return ObjectMeta.items(object("GET " + all, send("GET", all, "application/json", "")));
  }

  public ObjectNode create(String path, ObjectNode body) {
    return written("POST", path, "application/json", body);
  }

  /// The body carries the version that was observed.
  public ObjectNode replace(String path, ObjectNode body) {
    return written("PUT", path, "application/json", body);
  }

  public ObjectNode mergePatch(String path, ObjectNode body) {
    return written("PATCH", path, "application/merge-patch+json", body);
  }

  /// Server-side apply: the manager owns what it sends, and nothing else.
  public ObjectNode apply(String path, String manager, ObjectNode body) {
    return written(
        "PATCH",
        path + "?fieldManager=" + manager + "&force=true",
        "application/apply-patch+yaml",
        body);
  }

  /// Deletes exactly what was observed.
  public void delete(String path, JsonNode observed) {
    String options = ObjectMeta.deletion(observed).toString();
    Answer answer = send("DELETE", path, "application/json", options);
    if (answer.status() == 409) {
      throw new Conflict(path);
    }
    if (!answer.isOk() && answer.status() != 404) {
      throw failure("DELETE", path, answer);
    }
  }

  private ObjectNode written(String method, String path, String type, ObjectNode body) {
    Answer answer = send(method, path, type, body.toString());
    if (answer.status() == 409 || (answer.status() == 404 && !method.equals("POST"))) {
      String made = method.equals("POST") ? "/" + ObjectMeta.name(body) : "";
      throw new Conflict(path + made);
    }
    return object(method + " " + path, answer);
  }

  private static ObjectNode object(String what, Answer answer) {
    if (!answer.isOk()) {
      throw failure(what, "", answer);
    }
    try {
      return (ObjectNode) JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw new ClusterFailure("the answer to " + what + " is not JSON", e);
    }
  }

  private static ClusterFailure failure(String method, String path, Answer answer) {
    String reason = "";
    try {
      JsonNode status = JSON.readTree(answer.body());
      // A message about a Secret might quote it.
      boolean secret = (method + path).contains("/secrets");
      reason = " " + status.path(secret ? "reason" : "message").asText("");
    } catch (JsonProcessingException _) {
      reason = "";
    }
    String remedy =
        answer.status() == FORBIDDEN
            ? "; keyward operator install, run by an admin, gives this right"
            : "";
    return new ClusterFailure(
        (method + " " + path).strip() + " was answered with " + answer.status() + reason + remedy,
        answer.status());
  }

  /// Tried again where the server says that it did nothing and asks for patience.
  private Answer send(String method, String path, String type, String body) {
    for (int attempt = 1; ; attempt++) {
      Answer answer = once(method, path, type, body);
      if (answer.status() != 429 || attempt == BUSY_TRIES) {
        return answer;
      }
      try {
        Thread.sleep(Backoff.pause(answer.retryAfter(), attempt, TIMEOUT));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterFailure("interrupted", e);
      }
    }
  }

  private Answer once(String method, String path, String type, String body) {
    return once(method, path, type, method.equals("GET") ? type : "application/json", body);
  }

  /// One request, whatever the answer.
  public Answer once(String method, String path, String type, String accept, String body) {
    var request =
        client
            .getHttpClient()
            .newHttpRequestBuilder()
            .uri(server + path)
            .timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    if (!method.equals("GET")) {
      request.method(method, type, body);
    }
    request.header("Accept", accept);
    try {
      inFlight.acquire();
      try {
        sent.increment();
        return answer(
            client
                .getHttpClient()
                .sendAsync(request.build(), String.class)
                .get(TIMEOUT.toMillis() + 5_000, TimeUnit.MILLISECONDS));
      } finally {
        inFlight.release();
      }
    } catch (ExecutionException | TimeoutException e) {
      if (fallback.isPresent()) {
        return fallback.orElseThrow().once(method, path, type, accept, body);
      }
      throw new ClusterFailure(
          "the API server "
              + server
              + " does not respond to "
              + method
              + " "
              + path
              + ": "
              + Unreachable.why(e),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterFailure("interrupted", e);
    }
  }

  private static Answer answer(HttpResponse<String> response) {
    String text = response.body();
    return new Answer(response.code(), text == null ? "" : text, retryAfter(response));
  }

  /// How many requests went out, other than those that the client library makes by itself.
  public long sent() {
    return sent.sum();
  }

  /// For many requests; see [DirectHttp].
  public Optional<DirectHttp> direct() {
    return DirectHttp.of(client.getConfiguration(), server, sent);
  }

  private static Optional<Duration> retryAfter(HttpResponse<String> response) {
    return response.headers("Retry-After").stream().findFirst().flatMap(Api::seconds);
  }

  static Optional<Duration> seconds(String text) {
    return text.length() < 5 && !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
        : Optional.empty();
  }

  @Override
  public void close() {
    client.close();
  }
}
