package io.keyward.etcd.live;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.keyward.etcd.live.LiveEtcdException.Kind;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/// gRPC's failures in our words.
final class Failures {
  private Failures() {}

  /// `tls` says how the connection was tried.
  static LiveEtcdException of(StatusRuntimeException failure, boolean tls) {
    Status status = failure.getStatus();
    return new LiveEtcdException(kind(status, tls), words(status), failure);
  }

  private static Kind kind(Status status, boolean speaksTls) {
    Optional<Kind> tls = tlsKind(status);
    if (tls.isPresent()) {
      return tls.get();
    }
    String description = String.valueOf(status.getDescription());
    return switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED -> unreachable(description, speaksTls);
      case UNAUTHENTICATED -> Kind.NO_USER;
      case PERMISSION_DENIED -> Kind.FORBIDDEN;
      // A member that lags behind gets the same code as a compacted revision.
      case OUT_OF_RANGE -> description.contains("future") ? Kind.BEHIND : Kind.COMPACTED;
      case INVALID_ARGUMENT ->
          description.contains("user name is empty") ? Kind.NO_USER : Kind.WRONG_PASSWORD;
      case RESOURCE_EXHAUSTED -> Kind.TOO_LARGE;
      // A connection that the member closed while a request was written.
      case UNKNOWN ->
          status.getCause() instanceof ClosedChannelException ? Kind.UNREACHABLE : Kind.FAILED;
      default -> Kind.FAILED;
    };
  }

  /// gRPC tells these two apart in its text alone.
  private static Kind unreachable(String description, boolean speaksTls) {
    boolean closed =
        description.contains("Network closed for unknown reason")
            || description.contains("First received frame was not SETTINGS");
    if (closed && !speaksTls) {
      return Kind.SPEAKS_TLS;
    }
    return speaksTls && description.contains("while performing TLS negotiation")
        ? Kind.SPEAKS_PLAIN
        : Kind.UNREACHABLE;
  }

  private static Optional<Kind> tlsKind(Status status) {
    Optional<Kind> kind = Optional.empty();
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (cause instanceof CertificateException) {
        return Optional.of(
            message.contains("subject alternative") ? Kind.OTHER_HOST : Kind.UNTRUSTED);
      }
      if (cause instanceof SSLException) {
        kind = Optional.of(message.contains("fatal alert") ? Kind.CLIENT_REFUSED : Kind.UNTRUSTED);
      }
    }
    return kind;
  }

  private static String words(Status status) {
    String description = status.getDescription();
    Throwable cause = status.getCause();
    return status.getCode()
        + (description == null ? "" : ": " + description.lines().findFirst().orElse(""))
        + (cause == null ? "" : ": " + cause.getMessage());
  }
}
