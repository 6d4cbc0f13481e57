package io.keyward.kms.remote;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;

/// Says in words of ours why a server could not be reached. What an exception says itself may hold
/// anything, also a URL with a secret, so it is never shown.
public final class NetworkFailure {
  private NetworkFailure() {}

  /// Why there was no answer.
  public enum Reason {
    NAME("its name cannot be resolved"),
    TIMEOUT("it did not answer in time"),
    NOBODY("no server responds at its address"),
    NOT_VALID_NOW("TLS failed: its certificate is not valid now"),
    NOT_TRUSTED("TLS failed: its certificate is not signed by a trusted CA"),
    OTHER_NAME("TLS failed: its certificate is for another name"),
    TLS("TLS failed: check the CA file and the host name in its certificate"),
    BROKEN("the connection broke");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    public Kind kind() {
      return this == TIMEOUT ? Kind.TIMEOUT : Kind.UNAVAILABLE;
    }

    /// The one that says most about `failure`, whatever it is wrapped in.
    public static Reason of(Throwable failure) {
      if (has(failure, UnknownHostException.class, UnresolvedAddressException.class)) {
        return NAME;
      }
      if (has(
          failure,
          HttpTimeoutException.class,
          SocketTimeoutException.class,
          TimeoutException.class)) {
        return TIMEOUT;
      }
      // Before TLS: a connection that TLS never began on is also reported as a failure of TLS.
      if (has(failure, ConnectException.class)) {
        return NOBODY;
      }
      if (has(failure, CertificateExpiredException.class, CertificateNotYetValidException.class)) {
        return NOT_VALID_NOW;
      }
      if (!has(failure, SSLException.class)) {
        return BROKEN;
      }
      // The JDK has no types for these two.
      return says(failure, "PKIX path")
          ? NOT_TRUSTED
          : says(failure, "subject alternative") || says(failure, "No name matching")
              ? OTHER_NAME
              : TLS;
    }
  }

  /// Why the call to a server failed.
  ///
  /// @param what which server, for example "the key vault"
  /// @param host its name, which is not secret
  public static KmsException of(String what, String host, Throwable failure) {
    return first(failure, KmsException.class::isInstance)
        .map(KmsException.class::cast)
        .orElseGet(() -> {
          Reason reason = Reason.of(failure);
          var details = Map.of("host", host, "reason", reason.words);
          return new KmsException(reason.kind(), "cannot reach " + what, details);
        });
  }

  private static boolean has(Throwable failure, Class<?>... types) {
    return first(
            failure,
            cause -> {
              for (Class<?> type : types) {
                if (type.isInstance(cause)) {
                  return true;
                }
              }
              return false;
            })
        .isPresent();
  }

  private static boolean says(Throwable failure, String words) {
    return first(failure, cause -> String.valueOf(cause.getMessage()).contains(words)).isPresent();
  }

  private static Optional<Throwable> first(Throwable failure, Predicate<Throwable> wanted) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (wanted.test(cause)) {
        return Optional.of(cause);
      }
    }
    return Optional.empty();
  }
}
