package io.keyward.kube.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.keyward.http.Endpoint;
import io.keyward.http.HttpAnswer;
import io.keyward.http.HttpRequest;
import io.keyward.http.KeptConnections;
import io.keyward.http.TimeLimit;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/// Requests without the detours of the client library, for whoever makes thousands of them: they
/// cost this process half as much, and it shares its processors with an API server.
///
/// It knows client certificates and tokens. After a 401 the caller asks the library, which knows
/// how to get another token.
public final class DirectHttp implements AutoCloseable {
  /// No object in etcd is longer.
  private static final int LONGEST = 4 << 20;

  private final KeptConnections connections;
  private final String authority;
  private final Supplier<String> token;
  private final LongAdder sent;

  private DirectHttp(
      KeptConnections connections, String authority, Supplier<String> token, LongAdder sent) {
    this.connections = connections;
    this.authority = authority;
    this.token = token;
    this.sent = sent;
  }

  /// Absent where the library would do more to a request than is known here.
  ///
  /// @param sent counts the requests
  static Optional<DirectHttp> of(Config config, String server, LongAdder sent) {
    boolean plain =
        isEmpty(config.getHttpProxy())
            && isEmpty(config.getHttpsProxy())
            && isEmpty(config.getUsername())
            && isEmpty(config.getImpersonateUsername())
            && !config.isTrustCerts()
            && !config.isDisableHostnameVerification();
    URI address = URI.create(server);
    if (!plain || !"https".equals(address.getScheme()) || !isEmpty(address.getRawPath())) {
      return Optional.empty();
    }
    try {
      var endpoint =
          new Endpoint(
              address.getHost().replaceAll("^\\[|]$", ""),
              address.getPort() < 0 ? 443 : address.getPort(),
              Optional.of(SSLUtils.sslContext(config)),
              Optional.empty(),
              LONGEST);
      return Optional.of(
          new DirectHttp(
              new KeptConnections(endpoint), address.getRawAuthority(), token(config), sent));
    } catch (GeneralSecurityException | IOException _) {
      // The library says what is wrong with a certificate when it is asked.
      return Optional.empty();
    }
  }

  private static Supplier<String> token(Config config) {
    if (config.getOauthTokenProvider() != null) {
      return config.getOauthTokenProvider()::getToken;
    }
    String token =
        isEmpty(config.getOauthToken()) ? config.getAutoOAuthToken() : config.getOauthToken();
    return isEmpty(token) ? () -> "" : () -> token;
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isEmpty();
  }

  /// The request must be one that may be sent twice: see [KeptConnections#exchange].
  public Api.Answer send(
      String method, String path, String type, String accept, String body, Duration timeout)
      throws InterruptedException {
    byte[] request =
        new HttpRequest(method, path, authority)
            .header("User-Agent", "keyward")
            .header("Accept", accept)
            .bearer(token.get())
            .bytes(type, body.getBytes(UTF_8));
    sent.increment();
    try {
      HttpAnswer answer = connections.exchange(request, TimeLimit.after(timeout));
      return new Api.Answer(
          answer.status(),
          new String(answer.body(), UTF_8),
          Optional.of(answer.retryAfter()).filter(it -> !it.isEmpty()).flatMap(Api::seconds));
    } catch (IOException e) {
      throw new ClusterFailure("the API server does not respond to " + method + " " + path, e);
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
