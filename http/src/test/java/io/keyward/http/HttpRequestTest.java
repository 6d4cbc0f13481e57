package io.keyward.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpRequestTest {
  @Test
  void isWrittenInOnePiece() {
    byte[] request =
        new HttpRequest("POST", "/v1/a?b=c", "server:8200")
            .header("X-Token", "secret")
            .header("X-Empty", "")
            .bearer("of-the-pod")
            .bytes("application/json", "{}".getBytes(UTF_8));
    assertThat(new String(request, UTF_8))
        .isEqualTo(
            """
            POST /v1/a?b=c HTTP/1.1\r
            Host: server:8200\r
            X-Token: secret\r
            Authorization: Bearer of-the-pod\r
            Content-Type: application/json\r
            Content-Length: 2\r
            \r
            {}\
            """);
    assertThat(new String(new HttpRequest("GET", "/", "s").bytes(), UTF_8))
        .isEqualTo("GET / HTTP/1.1\r\nHost: s\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX-Other: b", "a\u0000", "\u00fc", "a\tb", "a b", " "})
  void aValueThatWouldBeMoreThanAValueIsRefusedAndNotShown(String value) {
    var request = new HttpRequest("GET", "/", "s");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> request.header("X-Token", value))
        .withMessage("no X-Token can have such characters");
  }

  @Test
  void aTargetHasNoBlanks() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new HttpRequest("GET", "/a HTTP/1.1", "s"));
  }
}
