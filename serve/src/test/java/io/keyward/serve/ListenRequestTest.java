package io.keyward.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ListenRequestTest {
  private static final String UNPROTECTED = "other machines can reach ";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # address                 | loopback
          127.0.0.1:8085            | true
          127.8.9.10:0              | true
          localhost:8085            | true
          [::1]:8085                | true
          [0:0:0:0:0:0:0:1]:8085    | true
          [::ffff:127.0.0.1]:8085   | true
          0.0.0.0:8085              | false
          [::]:8085                 | false
          10.0.0.1:8085             | false
          [fe80::1]:8085            | false
          128.0.0.1:8085            | false
          127.0.0.1.example.com:80  | false
          localhost.example.com:80  | false
          node-1:65535              | false
          """)
  void onlyLoopbackNeedsNoProtection(String address, boolean loopback) {
    assertThat(ListenAddress.parse(address).orElseThrow().isLoopback()).isEqualTo(loopback);
    ListenRequest request = request(address, null, null, null, false);
    if (loopback) {
      assertThat(request.check(ListenNames.FLAGS)).isPresent();
    } else {
      assertThatExceptionOfType(ListenProblem.class)
          .isThrownBy(() -> request.check(ListenNames.FLAGS))
          .withMessageStartingWith(UNPROTECTED + address + ": set --listen-tls-cert,")
          .withMessageEndingWith("; or accept the risk with --listen-insecure");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":8085",
        "8085",
        "a",
        "a:",
        "a:b",
        "a:99999",
        "a:-1",
        "::1:8085",
        "[::1]",
        "a b:1",
        "[x]:1",
        "http://a:1"
      })
  void anythingElseIsNoAddress(String text) {
    assertThat(ListenAddress.parse(text)).isEmpty();
    assertThatExceptionOfType(ListenProblem.class)
        .isThrownBy(() -> request(text, null, null, null, false).check(ListenNames.FLAGS))
        .withMessage("--listen is HOST:PORT, as in 127.0.0.1:8444");
  }

  @ParameterizedTest(name = "{0} {1} {2} insecure {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # certificate | key | token | insecure | missing
          c             | k   | t     | false    | -
          c             | k   | -     | false    | set listenTokenFile; or listen
          -             | -   | t     | false    | set listenTlsCert and listenTlsKey; or listen
          -             | -   | -     | false    | set listenTlsCert, listenTlsKey and listenTokenFile; or listen
          -             | -   | -     | true     | -
          c             | k   | -     | true     | -
          c             | -   | t     | false    | listenTlsCert and listenTlsKey belong together
          -             | k   | t     | true     | listenTlsCert and listenTlsKey belong together
          """)
  void anAddressForOtherMachinesNeedsTlsAndAToken(
      @Nullable String certificate,
      @Nullable String key,
      @Nullable String token,
      boolean insecure,
      @Nullable String missing) {
    ListenRequest request = request("0.0.0.0:1", certificate, key, token, insecure);
    if (missing == null) {
      assertThat(request.check(ListenNames.FILE)).isPresent();
    } else {
      assertThatExceptionOfType(ListenProblem.class)
          .isThrownBy(() -> request.check(ListenNames.FILE))
          .withMessageContaining(missing);
    }
  }

  @Test
  void withoutAnAddressNothingIsServed() {
    assertThat(request(null, null, null, null, false).check(ListenNames.FLAGS)).isEmpty();
    assertThatExceptionOfType(ListenProblem.class)
        .isThrownBy(() -> request(null, null, null, "t", false).check(ListenNames.FLAGS))
        .withMessageContaining("no effect without --listen");
  }

  @Test
  void noOtherWayLeadsToAnUnprotectedServer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new ListenSettings(
                new ListenAddress("0.0.0.0", 1), Optional.empty(), Optional.empty(), false));
  }

  private static ListenRequest request(
      @Nullable String listen,
      @Nullable String certificate,
      @Nullable String key,
      @Nullable String token,
      boolean insecure) {
    return new ListenRequest(
        Optional.ofNullable(listen),
        Optional.ofNullable(certificate).map(Path::of),
        Optional.ofNullable(key).map(Path::of),
        Optional.ofNullable(token).map(Path::of),
        insecure);
  }
}
