package io.keyward.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.regex.Pattern;

/// Reads answers of HTTP/1.1, each bounded before anything of its size is allocated.
///
/// Strict where being kind would let two readers see different answers; such a connection is never
/// used again.
final class HttpAnswerReader {
  private static final int MAX_HEAD = 16 * 1024;
  private static final int MAX_INTERIM = 4;
  private static final int NONE = -1;
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}");
  private static final Pattern HEXADECIMAL = Pattern.compile("[0-9A-Fa-f]{1,8}");

  private final InputStream in;
  private final int maxBody;
  private final byte[] buffer = new byte[4 * 1024];
  private int at;
  private int end;
  private int headLeft;
  private boolean begun;

  HttpAnswerReader(InputStream in, int maxBody) {
    this.in = in;
    this.maxBody = maxBody;
  }

  /// Whether any byte of the present answer came.
  boolean hasBegun() {
    return begun;
  }

  /// The next answer. Blocks as long as the connection is open.
  HttpAnswer read() throws IOException {
    begun = at < end;
    headLeft = MAX_HEAD;
    for (int i = 0; i <= MAX_INTERIM; i++) {
      Head head = head();
      if (head.status >= 200) {
        byte[] body = body(head);
        // What is left over belongs to no request of ours.
        return new HttpAnswer(
            head.status, head.date, head.retryAfter, body, head.keep && at == end);
      }
    }
    throw new ProtocolException("too many interim answers");
  }

  /// The lines before the body, as far as they matter.
  private static final class Head {
    int status;
    String date = "";
    String retryAfter = "";
    boolean keep;
    int length = NONE;
    boolean chunked;

    void field(String name, String value) throws ProtocolException {
      if (name.equalsIgnoreCase("content-length")) {
        int said = number(value, 10);
        if (length != NONE && length != said) {
          throw new ProtocolException("two lengths");
        }
        length = said;
      } else if (name.equalsIgnoreCase("transfer-encoding")) {
        if (chunked || !value.equalsIgnoreCase("chunked")) {
          throw new ProtocolException("unknown transfer encoding");
        }
        chunked = true;
      } else if (name.equalsIgnoreCase("connection") && value.equalsIgnoreCase("close")) {
        keep = false;
      } else if (name.equalsIgnoreCase("date")) {
        date = value;
      } else if (name.equalsIgnoreCase("retry-after")) {
        retryAfter = value;
      }
    }
  }

  private Head head() throws IOException {
    String first = line();
    var head = new Head();
    head.status = status(first);
    head.keep = first.startsWith("HTTP/1.1");
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon <= 0) {
        throw new ProtocolException("a header without a name");
      }
      head.field(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    if (head.chunked && head.length != NONE) {
      throw new ProtocolException("a length and chunks");
    }
    return head;
  }

  /// Of a first line like `HTTP/1.1 200 OK`.
  private static int status(String line) throws ProtocolException {
    boolean form =
        (line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 "))
            && (line.length() == 12 || (line.length() > 12 && line.charAt(12) == ' '));
    int status = 0;
    for (int i = 9; form && i < 12; i++) {
      int digit = line.charAt(i) - '0';
      form = digit >= 0 && digit <= 9;
      status = 10 * status + digit;
    }
    if (!form || status < 100) {
      throw new ProtocolException("not HTTP/1.1");
    }
    return status;
  }

  private byte[] body(Head head) throws IOException {
    if (head.status == 204 || head.status == 304) {
      return new byte[0];
    }
    if (head.chunked) {
      return chunks();
    }
    if (head.length != NONE) {
      return exactly(bounded(head.length));
    }
    head.keep = false; // it ends where the connection ends
    var out = new ByteArrayOutputStream();
    while (at < end || fill()) {
      add(out, end - at);
    }
    return out.toByteArray();
  }

  private byte[] exactly(int length) throws IOException {
    var bytes = new byte[length];
    for (int done = 0; done < length; ) {
      if (at == end) {
        need();
      }
      int part = Math.min(length - done, end - at);
      System.arraycopy(buffer, at, bytes, done, part);
      at += part;
      done += part;
    }
    return bytes;
  }

  private byte[] chunks() throws IOException {
    var out = new ByteArrayOutputStream();
    while (true) {
      headLeft = MAX_HEAD;
      String line = line();
      int extension = line.indexOf(';');
      int size = bounded(number((extension < 0 ? line : line.substring(0, extension)).strip(), 16));
      if (size == 0) {
        break;
      }
      for (int left = size; left > 0; ) {
        if (at == end) {
          need();
        }
        left -= add(out, Math.min(left, end - at));
      }
      if (!line().isEmpty()) {
        throw new ProtocolException("a chunk longer than it says");
      }
    }
    while (!line().isEmpty()) {
      // trailers, which nobody needs; bounded like a head
    }
    return out.toByteArray();
  }

  private int add(ByteArrayOutputStream out, int count) throws ProtocolException {
    bounded(out.size() + count);
    out.write(buffer, at, count);
    at += count;
    return count;
  }

  private int bounded(int size) throws ProtocolException {
    if (size > maxBody) {
      throw new ProtocolException("the body is too long");
    }
    return size;
  }

  private static int number(String digits, int radix) throws ProtocolException {
    if (!(radix == 16 ? HEXADECIMAL : DECIMAL).matcher(digits).matches()) {
      throw new ProtocolException("not a length");
    }
    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(digits, radix));
  }

  /// A line without its end.
  private String line() throws IOException {
    var line = new StringBuilder();
    while (true) {
      if (at == end) {
        need();
      }
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      headLeft -= at - from + 1;
      if (headLeft < 0) {
        throw new ProtocolException("the head is too long");
      }
      line.append(new String(buffer, from, at - from, ISO_8859_1));
      if (at < end) {
        at++; // the line feed
        int last = line.length() - 1;
        if (last >= 0 && line.charAt(last) == '\r') {
          line.setLength(last);
        }
        return line.toString();
      }
    }
  }

  private void need() throws IOException {
    if (!fill()) {
      throw new EOFException("the connection ended inside an answer");
    }
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    begun |= end > 0;
    return end > 0;
  }
}
