package io.keyward.kms.vault;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/// What it means that there was no answer.
final class ConnectionFailure {
  private ConnectionFailure() {}

  static KmsException of(IOException e, Deadline deadline) {
    if (deadline.isOver() || isTimeout(e)) {
      return new KmsException(Kind.TIMEOUT, "Vault did not answer in time", e);
    }
    // First: a connection that TLS never began on is also reported as a failure of TLS.
    if (has(e, ConnectException.class) || e instanceof HttpConnectTimeoutException) {
      return unavailable("nobody answers at Vault's address", "start Vault, or correct address");
    }
    if (has(e, CertificateExpiredException.class)
        || has(e, CertificateNotYetValidException.class)) {
      return unavailable(
          "Vault's certificate is not valid now", "renew it, or set this machine's clock right");
    }
    if (has(e, SSLException.class)) {
      return says(e, "PKIX path")
          ? unavailable(
              "Vault's certificate is signed by nobody who is trusted here",
              "let the setting caFile name the certificate of its authority")
          : says(e, "subject alternative") || says(e, "No name matching")
              ? unavailable(
                  "Vault's certificate is for another name",
                  "set tlsServerName to a name in the certificate")
              : unavailable(
                  "the TLS connection to Vault failed",
                  "check that address is an https port of Vault, and the client certificate");
    }
    return unavailable("the connection to Vault broke", "look at Vault's log and the network");
  }

  private static boolean isTimeout(IOException e) {
    return (e instanceof HttpTimeoutException && !(e instanceof HttpConnectTimeoutException))
        || has(e, TimeoutException.class);
  }

  /// Without the cause: its text may quote an address with what is none of the reader's business.
  private static KmsException unavailable(String message, String hint) {
    return new KmsException(Kind.UNAVAILABLE, message, Map.of(KmsException.HINT, hint));
  }

  private static boolean has(Throwable e, Class<? extends Throwable> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static boolean says(Throwable e, String words) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(words)) {
        return true;
      }
    }
    return false;
  }
}
