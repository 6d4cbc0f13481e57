package io.keyward.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReportServerTest {
  private static final String TOKEN = "correct-horse-battery-staple";

  @TempDir private Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private final SampleReport report = new SampleReport();
  private Path tokenFile = Path.of("");

  @BeforeEach
  void token() throws IOException {
    tokenFile = Files.writeString(directory.resolve("token"), TOKEN + "\n");
  }

  @AfterEach
  void close() {
    client.close();
  }

  private static ReportServer open(SampleReport report) {
    return ReportServer.start(ListenSettings.loopback(0), report);
  }

  private ReportServer guarded() {
    var settings =
        new ListenSettings(
            new ListenAddress("127.0.0.1", 0), Optional.empty(), Optional.of(tokenFile), false);
    return ReportServer.start(settings, report);
  }

  private HttpResponse<String> get(ReportServer server, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url()).resolve(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void eachQuestionHasItsAnswer() throws Exception {
    try (ReportServer server = open(report)) {
      report.problem = Optional.of("the KMS is away");
      report.ready = false;
      assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(server, "/livez").body()).isEqualTo("ok\n");
      assertThat(get(server, "/readyz").statusCode()).isEqualTo(503);
      assertThat(get(server, "/readyz").body()).isEqualTo("not yet\n");
      assertThat(get(server, "/healthz").statusCode()).isEqualTo(503);
      assertThat(get(server, "/healthz").body()).isEqualTo("the KMS is away\n");
      assertThat(get(server, "/metrics").body()).contains("sample_total 1.0");
      assertThat(get(server, "/metrics").headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/plain");
    }
  }

  @Test
  void healthOnlyServesNoMetrics() throws Exception {
    var settings =
        new ListenSettings(
            new ListenAddress("0.0.0.0", 0), Optional.empty(), Optional.empty(), false, true);
    try (ReportServer server = ReportServer.start(settings, report)) {
      URI local = URI.create("http://127.0.0.1:" + server.address().getPort());
      for (var expected : Map.of("/livez", 200, "/readyz", 200, "/metrics", 404).entrySet()) {
        HttpRequest request = HttpRequest.newBuilder(local.resolve(expected.getKey())).build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
            .as(expected.getKey())
            .isEqualTo(expected.getValue());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/metricsx", "/metrics/", "/livez/x", "/console"})
  void otherPathsAreNotFound(String path) throws Exception {
    try (ReportServer server = open(report)) {
      assertThat(get(server, path).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void nothingCanBeChanged() throws Exception {
    try (ReportServer server = open(report)) {
      URI metrics = URI.create(server.url()).resolve("/metrics");
      HttpRequest post =
          HttpRequest.newBuilder(metrics)
              .POST(HttpRequest.BodyPublishers.ofString("x".repeat(1000)))
              .build();
      HttpResponse<String> refused = client.send(post, BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
      HttpRequest head = HttpRequest.newBuilder(metrics).HEAD().build();
      assertThat(client.send(head, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void probesNeedNoTokenAndMetricsDo() throws Exception {
    try (ReportServer server = guarded()) {
      assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
      HttpResponse<String> refused = get(server, "/metrics");
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
      assertThat(refused.body()).doesNotContain("sample");
      assertThat(get(server, "/metrics", "Authorization", "Bearer " + TOKEN).statusCode())
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer wrong",
        "Bearer",
        "Bearer ",
        "Basic correct-horse-battery-staple",
        "correct-horse-battery-staple",
        "Bearer correct-horse-battery-stapl",
        "Bearer correct-horse-battery-staple2"
      })
  void aWrongTokenIsRefusedAndNotLogged(String header) throws Exception {
    var logged = new StringBuilder();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            logged.append(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    try (ReportServer server = guarded()) {
      HttpResponse<String> refused = get(server, "/metrics", "Authorization", header);
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.body()).doesNotContain("horse");
    } finally {
      root.removeHandler(handler);
    }
    assertThat(logged).isEmpty();
  }

  @Test
  void aReplacedTokenCountsAtOnceAndTwoCanOverlap() throws Exception {
    try (ReportServer server = guarded()) {
      Files.writeString(tokenFile, "next\n" + TOKEN + "\n");
      assertThat(get(server, "/metrics", "Authorization", "Bearer next").statusCode())
          .isEqualTo(200);
      assertThat(get(server, "/metrics", "Authorization", "Bearer " + TOKEN).statusCode())
          .isEqualTo(200);
      Files.writeString(tokenFile, "next\n");
      assertThat(get(server, "/metrics", "Authorization", "Bearer " + TOKEN).statusCode())
          .isEqualTo(401);
      Files.delete(tokenFile);
      assertThat(get(server, "/metrics", "Authorization", "Bearer next").statusCode())
          .isEqualTo(401);
    }
  }

  /// The times are set in the pom, shorter than in production.
  @Test
  void everyLimitOfTheJdkServerIsSet() throws Exception {
    try (ReportServer server = open(report)) {
      assertThat(HttpServers.LIMITS)
          .containsKeys("sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime")
          .allSatisfy((name, value) -> assertThat(System.getProperty(name)).as(name).isNotNull());
      assertThat(get(server, "/livez", "X-Long", "x".repeat(10_000)).statusCode()).isEqualTo(200);
      assertThat(statusOrFailure(server, "x".repeat(20_000))).isNotEqualTo(200);
    }
  }

  private int statusOrFailure(ReportServer server, String header) throws InterruptedException {
    try {
      return get(server, "/livez", "X-Long", header).statusCode();
    } catch (IOException closed) {
      return -1;
    }
  }

  @Test
  void aServerThatCannotStartSaysWhy() throws Exception {
    Files.writeString(tokenFile, "\n \n");
    assertThatExceptionOfType(ListenFailure.class)
        .isThrownBy(this::guarded)
        .withMessage("the token file " + tokenFile + " is empty");
    Files.delete(tokenFile);
    assertThatExceptionOfType(ListenFailure.class)
        .isThrownBy(this::guarded)
        .withMessage("cannot read the token file " + tokenFile);
    try (ReportServer first = open(report)) {
      var taken = ListenSettings.loopback(first.address().getPort());
      assertThatExceptionOfType(ListenFailure.class)
          .isThrownBy(() -> ReportServer.start(taken, report))
          .withMessageStartingWith("cannot listen on 127.0.0.1:");
    }
    var nowhere =
        new ListenSettings(
            new ListenAddress("no.such.host.invalid", 0), Optional.empty(), Optional.empty(), true);
    assertThatExceptionOfType(ListenFailure.class)
        .isThrownBy(() -> ReportServer.start(nowhere, report))
        .withMessageStartingWith("cannot listen on no.such.host.invalid:0: ");
  }
}
