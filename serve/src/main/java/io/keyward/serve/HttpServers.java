package io.keyward.serve;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/// Creates the JDK's HTTP server with limits. Without them, a client that sends its request byte by
/// byte, or nothing at all, would keep its connection for ever.
final class HttpServers {
  private static final int BACKLOG = 64;

  /// The JDK reads them once, when the first server of the process is created. A value that the
  /// user sets with `KEYWARD_JAVA_OPTS` wins.
  static final Map<String, String> LIMITS =
      Map.of(
          // Seconds from the first byte of a request to its end, and from there to the end of the
          // response. The first one also limits how long a new connection may be silent.
          "sun.net.httpserver.maxReqTime", "10",
          "sun.net.httpserver.maxRspTime", "20",
          "sun.net.httpserver.idleInterval", "30",
          "sun.net.httpserver.timerMillis", "5000",
          // A plugin has a heap of 32 MB, and a connection with TLS needs up to 70 KB of it.
          "jdk.httpserver.maxConnections", "128",
          "sun.net.httpserver.maxIdleConnections", "32",
          "sun.net.httpserver.maxReqHeaders", "64",
          "sun.net.httpserver.maxReqHeaderSize", "16384");

  private HttpServers() {}

  static HttpServer plain(InetSocketAddress address) throws IOException {
    limit();
    return HttpServer.create(address, BACKLOG);
  }

  static HttpServer tls(InetSocketAddress address, KeyManager keys) throws IOException {
    limit();
    HttpsServer server = HttpsServer.create(address, BACKLOG);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context(keys)) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters allowed = getSSLContext().getDefaultSSLParameters();
            allowed.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
            parameters.setSSLParameters(allowed);
          }
        });
    return server;
  }

  private static SSLContext context(KeyManager keys) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  private static void limit() {
    LIMITS.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
  }
}
