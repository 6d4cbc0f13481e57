package io.keyward.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/// A request as it goes over the wire.
public final class HttpRequest {
  private final StringBuilder head = new StringBuilder(512);

  /// @param target path and query, as they are written in a request
  /// @param authority host and port, as in an address
  public HttpRequest(String method, String target, String authority) {
    head.append(method).append(' ').append(visible("target", target)).append(" HTTP/1.1\r\n");
    var _ = header("Host", authority);
  }

  /// Nothing where the value is empty.
  ///
  /// @throws IllegalArgumentException if the value is more than one word: it could become other
  ///   headers. The message does not show it.
  public HttpRequest header(String name, String value) {
    return header(name, "", value);
  }

  /// Nothing where the token is empty.
  ///
  /// @throws IllegalArgumentException as [#header]
  public HttpRequest bearer(String token) {
    return header("Authorization", "Bearer ", token);
  }

  private HttpRequest header(String name, String scheme, String value) {
    if (!value.isEmpty()) {
      head.append(name).append(": ").append(scheme).append(visible(name, value)).append("\r\n");
    }
    return this;
  }

  /// Without a body.
  public byte[] bytes() {
    return head.append("\r\n").toString().getBytes(ISO_8859_1);
  }

  /// With this body. What was made on the way is overwritten.
  public byte[] bytes(String type, byte[] body) {
    byte[] lines =
        header("Content-Type", type)
            .header("Content-Length", Integer.toString(body.length))
            .bytes();
    byte[] whole = Arrays.copyOf(lines, lines.length + body.length);
    System.arraycopy(body, 0, whole, lines.length, body.length);
    Arrays.fill(lines, (byte) 0);
    return whole;
  }

  private static String visible(String name, String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
        throw new IllegalArgumentException("no " + name + " can have such characters");
      }
    }
    return value;
  }
}
