package io.keyward.testbed;

import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.TlsContexts;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Plain HTTP requests to one server as one client; over TLS the server's certificate is checked.
public final class ApiClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String JSON = "application/json";
  private static final int BUSY = 429;

  private final URI base;
  private final HttpClient http;
  private final Map<String, String> headers;

  public ApiClient(URI base, Path ca, KeyPairFiles client) {
    this(base, tuned().sslContext(TlsContexts.client(ca, client)).build(), Map.of());
  }

  /// For servers that know their clients by a header.
  ApiClient(URI base, Optional<Path> ca, Map<String, String> headers) {
    HttpClient.Builder builder = tuned();
    ca.map(TlsContexts::trusting).ifPresent(builder::sslContext);
    this(base, builder.build(), headers);
  }

  private ApiClient(URI base, HttpClient http, Map<String, String> headers) {
    this.base = base;
    this.http = http;
    this.headers = Map.copyOf(headers);
  }

  /// HTTP/1.1: after a server was killed or paused, a broken connection shows at once.
  private static HttpClient.Builder tuned() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(5));
  }

  /// What the server said, whatever the status.
  ///
  /// @param retryAfter whether it names a time after which to ask again
  public record Answer(int status, String body, boolean retryAfter) {
    public boolean isOk() {
      return status / 100 == 2;
    }

    /// Whether a client of Kubernetes asks again by itself.
    public boolean asksForPatience() {
      return retryAfter && (status == BUSY || status / 100 == 5);
    }
  }

  public Answer get(String path) {
    return get(path, TIMEOUT);
  }

  public Answer get(String path, Duration timeout) {
    return send(request(path, timeout).GET().build());
  }

  public Answer post(String path, String json) {
    return send(withBody(path, "POST", JSON, json));
  }

  public Answer postYaml(String path, String yaml) {
    return send(withBody(path, "POST", "application/yaml", yaml));
  }

  public Answer put(String path, String json) {
    return send(withBody(path, "PUT", JSON, json));
  }

  public Answer mergePatch(String path, String json) {
    return send(withBody(path, "PATCH", "application/merge-patch+json", json));
  }

  /// What `kubectl apply --server-side` does, in the server's own reading of YAML.
  public Answer apply(String path, String yaml) {
    String query = "?fieldManager=kubectl&force=true";
    return send(withBody(path + query, "PATCH", "application/apply-patch+yaml", yaml));
  }

  public Answer delete(String path) {
    return send(request(path, TIMEOUT).DELETE().build());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  private HttpRequest withBody(String path, String method, String contentType, String body) {
    return request(path, TIMEOUT)
        .header("Content-Type", contentType)
        .method(method, BodyPublishers.ofString(body, StandardCharsets.UTF_8))
        .build();
  }

  private HttpRequest.Builder request(String path, Duration timeout) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(base.resolve(path)).timeout(timeout);
    headers.forEach(builder::header);
    return builder;
  }

  private Answer send(HttpRequest request) {
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(
          response.statusCode(),
          response.body(),
          response.headers().firstValue("Retry-After").isPresent());
    } catch (IOException e) {
      throw new TestbedException(base + " does not answer", "see the log of that server", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while " + base + " was asked", "", e);
    }
  }
}
