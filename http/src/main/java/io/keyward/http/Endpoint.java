package io.keyward.http;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// One server.
///
/// @param host a name or an address
/// @param tls how to speak TLS; empty means in the clear
/// @param serverName the name in the server's certificate, where it is not `host`
/// @param maxBody the longest answer, in bytes, that is taken
public record Endpoint(
    String host, int port, Optional<SSLContext> tls, Optional<String> serverName, int maxBody) {
  /// The name that is asked for and checked in TLS.
  String tlsName() {
    return serverName.orElse(host);
  }

  /// Where `host` is now. May take as long as the system's resolver likes.
  InetAddress[] addresses() throws IOException {
    return InetAddress.getAllByName(host);
  }
}
