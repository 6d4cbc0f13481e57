package io.keyward.kms.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Context;
import io.keyward.kms.remote.TrustedCa;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import reactor.core.publisher.Mono;

/// The SDK's HTTP client over the JDK's, which may connect elsewhere than the address says.
///
/// A vault behind a proxy of one's own is reached at the proxy's address and goes on under its own
/// name, so the SDK's check that a log-in challenge comes from the vault it asked stays on.
final class RedirectingHttpClient implements HttpClient, AutoCloseable {
  private final HttpClient client;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, URI> elsewhere;

  /// A client that trusts `ca`, or what the JDK trusts.
  ///
  /// @param elsewhere by host name, where to connect instead
  RedirectingHttpClient(Optional<TrustedCa> ca, Map<String, URI> elsewhere) {
    this.elsewhere = Map.copyOf(elsewhere);
    var jdk =
        java.net.http.HttpClient.newBuilder()
            .sslContext(TrustedCa.context(ca))
            .executor(executor)
            .connectTimeout(Duration.ofSeconds(5));
    this.client = new JdkHttpClientBuilder(jdk).executor(executor).build();
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request) {
    return client.send(redirect(request));
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request, Context context) {
    return client.send(redirect(request), context);
  }

  @Override
  public HttpResponse sendSync(HttpRequest request, Context context) {
    return client.sendSync(redirect(request), context);
  }

  private HttpRequest redirect(HttpRequest request) {
    URL url = request.getUrl();
    URI target = elsewhere.get(url.getHost());
    if (target == null) {
      return request;
    }
    try {
      // The copy keeps the original as it is, because the SDK still looks at it.
      var moved =
          new URI(target.getScheme(), target.getAuthority(), null, null, null).toString()
              + url.getFile();
      return request.copy().setUrl(URI.create(moved).toURL());
    } catch (URISyntaxException | MalformedURLException e) {
      throw new IllegalStateException("both were addresses before", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
