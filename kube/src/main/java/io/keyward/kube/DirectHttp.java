package io.keyward.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;

/// Requests without the detours of the client library, for whoever makes thousands of them.
///
/// It knows client certificates and tokens. Whoever is answered with 401 asks the library, which
/// knows how to get another token.
final class DirectHttp implements AutoCloseable {
  private final HttpClient http;
  private final String server;
  private final Optional<String> token;

  private DirectHttp(HttpClient http, String server, Optional<String> token) {
    this.http = http;
    this.server = server;
    this.token = token;
  }

  /// Absent where the library would do more to a request than is known here.
  static Optional<DirectHttp> of(Config config, String server) {
    boolean plain =
        isEmpty(config.getHttpProxy())
            && isEmpty(config.getHttpsProxy())
            && isEmpty(config.getUsername())
            && isEmpty(config.getImpersonateUsername());
    if (!plain) {
      return Optional.empty();
    }
    String token =
        isEmpty(config.getOauthToken()) ? config.getAutoOAuthToken() : config.getOauthToken();
    try {
      HttpClient http =
          HttpClient.newBuilder()
              // As many connections as requests at once: less work for both ends than streams.
              .version(HttpClient.Version.HTTP_1_1)
              .sslContext(SSLUtils.sslContext(config))
              .connectTimeout(Duration.ofMillis(config.getConnectionTimeout()))
              .build();
      return Optional.of(
          new DirectHttp(
              http, server, isEmpty(token) ? Optional.empty() : Optional.of("Bearer " + token)));
    } catch (GeneralSecurityException | IOException _) {
      // The library says what is wrong with a certificate when it is asked.
      return Optional.empty();
    }
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isEmpty();
  }

  Api.Answer send(
      String method, String path, String type, String accept, String body, Duration timeout)
      throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(timeout)
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", type)
            .header("Accept", accept);
    token.ifPresent(value -> request.header("Authorization", value));
    try {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      return new Api.Answer(
          answer.statusCode(),
          answer.body(),
          answer.headers().firstValue("Retry-After").flatMap(Api::seconds));
    } catch (IOException e) {
      throw new ClusterFailure("the API server does not answer " + method + " " + path, e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
