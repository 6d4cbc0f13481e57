package io.keyward.kms.remote;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/// Says in words of ours why a server could not be reached. What an exception says itself may hold
/// anything, also a URL with a secret, so it is never shown.
public final class NetworkFailure {
  private NetworkFailure() {}

  /// Why the call to a server failed.
  ///
  /// @param what which server, for example "the key vault"
  /// @param host its name, which is not secret
  public static KmsException of(String what, String host, Throwable failure) {
    Kind kind = Kind.UNAVAILABLE;
    String reason = "the connection broke";
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof KmsException known) {
        return known;
      }
      if (t instanceof UnknownHostException || t instanceof UnresolvedAddressException) {
        reason = "its name cannot be resolved";
        break;
      }
      if (t instanceof HttpTimeoutException
          || t instanceof SocketTimeoutException
          || t instanceof TimeoutException) {
        kind = Kind.TIMEOUT;
        reason = "it did not answer in time";
        break;
      }
      if (t instanceof SSLException) {
        reason = "TLS failed: check the CA file and the host name in its certificate";
        break;
      }
      if (t instanceof ConnectException) {
        reason = "nobody answers at its address"; // a cause may say more
      }
    }
    return new KmsException(kind, "cannot reach " + what, Map.of("host", host, "reason", reason));
  }
}
