package io.keyward.kms.ibm;

import io.keyward.kms.remote.Deadline;
import io.keyward.kms.remote.NetworkFailure;
import io.keyward.kms.remote.TrustedCa;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// HTTPS to IBM's servers: connections are kept, answers are bounded, waiting ends in time.
final class Http implements AutoCloseable {
  private static final int MAX_ANSWER = 64 * 1024;

  /// @param body an empty map where the answer was not JSON
  /// @param date when it was given, as the server wrote it
  record Answer(int status, Map<?, ?> body, String date) {
    /// The code that IBM gives for an error, if it is one.
    String code() {
      String code = IbmJson.text(body, "resources", "reasons", "code");
      String iam = IbmJson.text(body, "errorCode");
      String found = code.isEmpty() ? iam : code;
      // Anything may stand there; only what looks like a code is shown.
      return found.matches("[A-Z0-9_]{1,64}") ? found : "";
    }
  }

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client;

  Http(Optional<TrustedCa> ca) {
    client =
        HttpClient.newBuilder()
            .sslContext(TrustedCa.context(ca))
            .connectTimeout(Duration.ofSeconds(5))
            .executor(executor)
            .build();
  }

  /// @param what which server it is, in words
  Answer send(String what, HttpRequest request, Deadline deadline) {
    var limited = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER);
    CompletableFuture<Answer> answer =
        client
            .sendAsync(request, limited)
            .thenApply(response ->
                new Answer(
                    response.statusCode(),
                    body(response.body()),
                    response.headers().firstValue("Date").orElse("")));
    try {
      return deadline.await(answer);
    } catch (ExecutionException e) {
      throw NetworkFailure.of(what, String.valueOf(request.uri().getHost()), e);
    } finally {
      answer.cancel(true);
    }
  }

  private static Map<?, ?> body(byte[] bytes) {
    try {
      return IbmJson.object(bytes);
    } catch (IOException e) {
      return Map.of();
    }
  }

  /// What an error that is not about the request means, whichever server gave it.
  static KmsException refused(String what, Answer answer) {
    Kind kind =
        switch (answer.status()) {
          case 401, 403 -> Kind.DENIED;
          case 429 -> Kind.THROTTLED;
          case 408, 500, 502, 503, 504 -> Kind.UNAVAILABLE;
          default -> Kind.INTERNAL;
        };
    String problem =
        switch (kind) {
          case DENIED -> " refused the call";
          case THROTTLED -> " wants fewer calls";
          case UNAVAILABLE -> " has a fault";
          default -> " gave an unexpected answer";
        };
    return new KmsException(kind, what + problem, details(answer));
  }

  static Map<String, String> details(Answer answer) {
    String status = Integer.toString(answer.status());
    return answer.code().isEmpty()
        ? Map.of("status", status)
        : Map.of("status", status, "code", answer.code());
  }

  @Override
  public void close() {
    client.shutdownNow();
    executor.shutdownNow();
  }
}
