package io.keyward.kms.fakes;

import io.keyward.kms.fakes.FakeHttps.Answer;
import io.keyward.kms.fakes.FakeHttps.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Stands with TLS before a server that answers in JSON, passes everything on, and misbehaves on
/// request: for emulators that cannot be told to.
public final class FakeProxy extends FakeServer {
  /// The JDK's client writes these itself.
  private static final Set<String> ITS_OWN =
      Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding");

  private final URI backend;
  private final HttpClient client = HttpClient.newHttpClient();

  private FakeProxy(Path directory, URI backend) {
    super(directory);
    this.backend = backend;
  }

  public static FakeProxy start(Path directory, URI backend) {
    return new FakeProxy(directory, backend);
  }

  @Override
  Answer answer(Request request) {
    var outgoing =
        HttpRequest.newBuilder(backend.resolve(request.path()))
            .method(request.method(), HttpRequest.BodyPublishers.ofString(request.body()));
    request
        .headers()
        .forEach((name, value) -> {
          if (!ITS_OWN.contains(name.toLowerCase(Locale.ROOT))) {
            outgoing.header(name, value);
          }
        });
    try {
      var answer = client.send(outgoing.build(), BodyHandlers.ofString());
      return new Answer(answer.statusCode(), Map.of(), FakeHttps.JSON.readTree(answer.body()));
    } catch (IOException e) {
      throw new UncheckedIOException("the server behind the proxy is gone", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    super.close();
    client.shutdownNow();
  }
}
