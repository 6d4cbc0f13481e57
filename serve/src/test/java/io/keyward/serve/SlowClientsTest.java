package io.keyward.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that keep connections without using them. The limits are shorter here than in
/// production: see the pom.
final class SlowClientsTest {
  private static final int MORE_THAN_ALLOWED = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<Socket> slow = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : slow) {
      socket.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // silent
        "GET /livez HT",
        "GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ",
        "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nx"
      })
  void slowClientsCannotHoldTheServer(String begin) throws Exception {
    try (var server = ReportServer.start(ListenSettings.loopback(0), new SampleReport());
        var client = HttpClient.newHttpClient()) {
      for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        slow.add(socket);
        try {
          socket.getOutputStream().write(begin.getBytes(US_ASCII));
        } catch (IOException refused) {
          // The server closed the connection: there are too many.
        }
      }
      HttpRequest probe =
          HttpRequest.newBuilder(URI.create(server.url()).resolve("/livez"))
              .timeout(Duration.ofSeconds(2))
              .build();
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> client.send(probe, BodyHandlers.ofString()).statusCode() == 200);
      for (Socket socket : slow) {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        assertThat(isClosed(socket)).isTrue();
      }
    }
  }

  /// An answer may come first.
  private static boolean isClosed(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {}
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }
}
