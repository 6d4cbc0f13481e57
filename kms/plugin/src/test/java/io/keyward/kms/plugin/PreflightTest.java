package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.Preflight;
import io.keyward.kms.client.PreflightProblem;
import io.keyward.kms.client.PreflightReport;
import io.keyward.kms.plugin.CrookedPlugin.Fault;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.tck.FakeKms.Mood;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The preflight lives in `kms/client`; it is tested here, where there are plugins to try.
final class PreflightTest {
  private static final Duration SHORT = Duration.ofMillis(500);

  @TempDir private Path directory;

  private static PreflightReport run(Path socket, Duration patience, Duration slow) {
    return new Preflight(new PluginEndpoint(socket), patience, slow).run();
  }

  private static PreflightProblem problem(Path socket) {
    return run(socket, SHORT, Duration.ofSeconds(10)).finding().orElseThrow().problem();
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UNHEALTHY       | UNHEALTHY          | the HSM is on fire
          WRONG_VERSION   | WRONG_VERSION      | v1beta1
          EMPTY_KEY_ID    | BAD_KEY_ID         | 0 bytes
          LONG_KEY_ID     | BAD_KEY_ID         | 1024 bytes
          OTHER_KEY_ID    | KEY_ID_DIFFERS     | key and other
          ENCRYPT_FAILS   | ENCRYPT_FAILED     | PERMISSION_DENIED no
          LONG_CIPHERTEXT | LIMITS_BROKEN      | 1024
          BAD_ANNOTATION  | LIMITS_BROKEN      | Not A Domain
          DECRYPT_FAILS   | DECRYPT_FAILED     | NOT_FOUND gone
          OTHER_BYTES     | ROUND_TRIP_DIFFERS | 5 bytes
          """)
  void eachFaultHasItsOwnWords(Fault fault, PreflightProblem problem, String detail)
      throws IOException {
    Path socket = directory.resolve("s");
    try (var _ = new CrookedPlugin(socket, fault)) {
      PreflightReport report = run(socket, Duration.ofSeconds(2), Duration.ofSeconds(10));
      assertThat(report.finding().orElseThrow().problem()).isEqualTo(problem);
      assertThat(report.finding().orElseThrow().detail()).contains(detail);
    }
  }

  @Test
  void finding24AnOverlongPathIsNamedEvenIfSomebodyListens() throws IOException {
    Path socket = directory.resolve("s");
    try (var _ = new CrookedPlugin(socket, Fault.NONE)) {
      Path renamed = directory.resolve("x".repeat(122 - directory.toString().length() - 1));
      Files.move(socket, renamed);
      assertThat(problem(renamed)).isEqualTo(PreflightProblem.PATH_TOO_LONG);
    }
  }

  @Test
  void aGoodPluginPasses() throws IOException {
    Path socket = directory.resolve("s");
    try (var _ = new CrookedPlugin(socket, Fault.NONE)) {
      PreflightReport report = run(socket, Duration.ofSeconds(20), Duration.ofSeconds(20));
      assertThat(report.passed()).isTrue();
      assertThat(report.keyId()).isEqualTo("key");
      assertThat(report.steps())
          .extracting(PreflightReport.Step::name)
          .containsExactly("Status", "Encrypt", "Decrypt");
    }
  }

  @Test
  void aSlowPluginIsToldApartFromABrokenOne() throws IOException {
    Path socket = directory.resolve("s");
    try (var _ = new CrookedPlugin(socket, Fault.SLOW_ENCRYPT)) {
      PreflightReport report =
          run(socket, Duration.ofSeconds(20), CrookedPlugin.SLOWNESS.minusMillis(50));
      assertThat(report.finding().orElseThrow().problem()).isEqualTo(PreflightProblem.SLOW);
    }
  }

  @Test
  void looksAtTheSocketBeforeItCalls() throws IOException {
    assertThat(problem(directory.resolve("none"))).isEqualTo(PreflightProblem.NO_SUCH_FILE);
    assertThat(problem(Files.writeString(directory.resolve("file"), "x")))
        .isEqualTo(PreflightProblem.NOT_A_SOCKET);
    Path dead = directory.resolve("dead");
    listener(dead).close();
    assertThat(problem(dead)).isEqualTo(PreflightProblem.NOBODY_LISTENS);
  }

  @Test
  void aListenerThatSaysNothingIsNotAKmsPlugin() throws IOException {
    Path silent = directory.resolve("silent");
    try (var _ = listener(silent)) {
      assertThat(problem(silent)).isIn(PreflightProblem.NO_ANSWER, PreflightProblem.NOT_KMS_V2);
    }
  }

  private static ServerSocketChannel listener(Path socket) throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(socket));
  }

  @Test
  void waitsForAPluginThatIsStillStarting() throws InterruptedException {
    try (var fixture = new PluginFixture(directory).key("late", Mood.failing(Kind.UNAVAILABLE))) {
      var starter =
          Thread.ofVirtual()
              .start(() -> {
                fixture.start();
                fixture.mood("late", Mood.GOOD);
              });
      PreflightReport report =
          run(fixture.socket("late"), Duration.ofSeconds(30), Duration.ofSeconds(30));
      assertThat(report.passed()).isTrue();
      starter.join();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/run/s", "tcp://host:1", "unix://relative", "unix:///", "unix:///@abstract", ""})
  void anEndpointThatIsNoneIsRefused(String text) {
    assertThat(
            org.assertj.core.api.Assertions.catchThrowableOfType(
                IllegalArgumentException.class, () -> PluginEndpoint.parse(text)))
        .isNotNull();
  }
}
