package io.keyward.serve;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a server listens, as users write it: `127.0.0.1:8085` or `[::1]:8085`.
///
/// @param host an IP address without brackets, or a name
public record ListenAddress(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([^:\\s\\[\\]]+)):([0-9]{1,5})");
  private static final int LAST_PORT = 65_535;

  public ListenAddress {
    if (host.isEmpty() || port < 0 || port > LAST_PORT) {
      throw new IllegalArgumentException("not an address to listen on");
    }
  }

  /// Empty if the text does not have the form `HOST:PORT`.
  public static Optional<ListenAddress> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || Integer.parseInt(form.group(3)) > LAST_PORT) {
      return Optional.empty();
    }
    String host = form.group(1) == null ? form.group(2) : form.group(1);
    return Optional.of(new ListenAddress(host, Integer.parseInt(form.group(3))));
  }

  /// Whether only processes of this machine can connect. Decided by the text alone: a name other
  /// than `localhost` may resolve to another address tomorrow.
  public boolean isLoopback() {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }

  InetSocketAddress socket() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
