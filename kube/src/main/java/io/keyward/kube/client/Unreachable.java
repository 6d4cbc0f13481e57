package io.keyward.kube.client;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/// Why a server could not be reached, for people. Causes are looked through from the inside out:
/// the innermost one says most.
public final class Unreachable {
  private Unreachable() {}

  static String why(Throwable failure) {
    String found = "";
    for (Throwable e = failure; e != null; e = e.getCause()) {
      String known = known(e);
      found = known.isEmpty() ? found : known;
    }
    return found.isEmpty() ? String.valueOf(failure.getMessage()) : found;
  }

  private static String known(Throwable failure) {
    return switch (failure) {
      case UnknownHostException _, UnresolvedAddressException _ -> "the host name is unknown";
      case NoRouteToHostException _ -> "there is no route to the host";
      case HttpTimeoutException _, SocketTimeoutException _, TimeoutException _ ->
          "no response in time";
      case ConnectException refused
          when refused.getMessage() != null && refused.getMessage().contains("timed out") ->
          "no response in time";
      case ConnectException _ -> "the connection is refused";
      case CertificateException _ ->
          "its certificate is not signed by the CA of the kubeconfig, or not valid for this address";
      case SSLException tls -> "TLS failed: " + tls.getMessage();
      default -> "";
    };
  }
}
