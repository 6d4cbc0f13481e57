package io.keyward.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers as they come over the wire. `|` stands for the end of a line.
final class HttpAnswerReaderTest {
  private static final int MAX_BODY = 256 * 1024;

  private static HttpAnswerReader reader(String wire) {
    return new HttpAnswerReader(
        new ByteArrayInputStream(wire.replace("|", "\r\n").getBytes(ISO_8859_1)), MAX_BODY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      nullValues = "-",
      value = {
        "'HTTP/1.1 200 OK|Content-Length: 2||{}'                           > 200 > '{}' > true",
        "'HTTP/1.1 200|content-LENGTH:2||{}'                               > 200 > '{}' > true",
        "'HTTP/1.1 403 No|Content-Length: 0||'                             > 403 > ''   > true",
        "'HTTP/1.1 204 No Content||'                                       > 204 > ''   > true",
        "'HTTP/1.1 100 Continue||HTTP/1.1 200 OK|Content-Length: 2||{}'    > 200 > '{}' > true",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|{|1;x=y|}|0||'     > 200 > '{}' > true",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|{}|0|Trailer: x||' > 200 > '{}' > true",
        "'HTTP/1.1 200 OK|Connection: close|Content-Length: 2||{}'         > 200 > '{}' > false",
        "'HTTP/1.0 200 OK|Content-Length: 2||{}'                           > 200 > '{}' > false",
        "'HTTP/1.1 200 OK||{}'                                             > 200 > '{}' > false",
        "'HTTP/1.1 200 OK|Content-Length: 2||{}more'                       > 200 > '{}' > false"
      })
  void readsAnAnswer(String wire, int status, String body, boolean reusable) throws IOException {
    HttpAnswer answer = reader(wire).read();
    assertThat(answer.status()).isEqualTo(status);
    assertThat(new String(answer.body(), UTF_8)).isEqualTo(body);
    assertThat(answer.reusable()).isEqualTo(reusable);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK|Content-Le",
        "HTTP/1.1 200 OK|Content-Length: 3||{}",
        "HTTP/2 200|Content-Length: 2||{}",
        "SSH-2.0-OpenSSH|",
        "HTTP/1.1 2000 OK||",
        "HTTP/1.1 200 OK|no name||",
        "HTTP/1.1 200 OK|Content-Length: -1||",
        "HTTP/1.1 200 OK|Content-Length: +2||{}",
        "HTTP/1.1 200 OK|Content-Length: 999999999||{}",
        "HTTP/1.1 200 OK|Content-Length: 99999999999999999999||{}",
        "HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 3||{}",
        "HTTP/1.1 200 OK|Content-Length: 2|Transfer-Encoding: chunked||0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: gzip||{}",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|{}x|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||ffffffff|{}",
        "HTTP/1.1 100 C||HTTP/1.1 100 C||HTTP/1.1 100 C||HTTP/1.1 100 C||HTTP/1.1 100 C||"
      })
  void refusesWhatIsNoAnswer(String wire) {
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> reader(wire).read());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK|X: ", // a head
        "HTTP/1.1 200 OK||", // a body up to the end of the connection
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|" // trailers
      })
  void whatNeverEndsIsRefusedAndNotKept(String begin) {
    var endless = new Endless(begin.replace("|", "\r\n"));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> new HttpAnswerReader(endless, MAX_BODY).read())
        .withMessageContaining("too long");
    assertThat(endless.sent).isLessThan(300 * 1024);
  }

  @Test
  void tellsWhenItWasGivenAndHowLongToWait() throws IOException {
    HttpAnswer answer =
        reader("HTTP/1.1 429 Slow|Date: today|Retry-After: 7|Content-Length: 0||").read();
    assertThat(answer.date()).isEqualTo("today");
    assertThat(answer.retryAfter()).isEqualTo("7");
    assertThat(reader("HTTP/1.1 204 No||").read().retryAfter()).isEmpty();
  }

  @Test
  void readsOneAnswerAfterTheOtherInAnyPieces() throws IOException {
    String two = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none";
    byte[] wire = two.getBytes(ISO_8859_1);
    InputStream byteByByte =
        new InputStream() {
          private int at;

          @Override
          public int read() {
            return wire[at++ % wire.length];
          }

          @Override
          public int read(byte[] to, int offset, int length) {
            to[offset] = (byte) read();
            return 1;
          }
        };
    var reader = new HttpAnswerReader(byteByByte, MAX_BODY);
    for (int i = 0; i < 3; i++) {
      assertThat(new String(reader.read().body(), UTF_8)).isEqualTo("one");
    }
  }

  @Test
  void knowsWhetherAnAnswerHasBegun() {
    var silent = reader("");
    assertThatExceptionOfType(IOException.class).isThrownBy(silent::read);
    assertThat(silent.hasBegun()).isFalse();
    var begun = reader("HTTP");
    assertThatExceptionOfType(IOException.class).isThrownBy(begun::read);
    assertThat(begun.hasBegun()).isTrue();
  }

  /// A server that goes on for ever.
  private static final class Endless extends InputStream {
    private final byte[] begin;
    private int sent;

    Endless(String begin) {
      this.begin = begin.getBytes(ISO_8859_1);
    }

    @Override
    public int read() {
      int at = sent++;
      return at < begin.length ? begin[at] : 'x';
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      for (int i = 0; i < length; i++) {
        to[offset + i] = (byte) read();
      }
      return length;
    }
  }
}
