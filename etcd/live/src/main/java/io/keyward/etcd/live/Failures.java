package io.keyward.etcd.live;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.keyward.etcd.live.LiveEtcdException.Kind;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;

/// gRPC's failures in our words.
final class Failures {
  private Failures() {}

  static LiveEtcdException of(StatusRuntimeException failure) {
    Status status = failure.getStatus();
    return new LiveEtcdException(kind(status), words(status), failure);
  }

  private static Kind kind(Status status) {
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
        return Kind.CERTIFICATE;
      }
    }
    return switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED -> Kind.UNREACHABLE;
      case UNAUTHENTICATED, PERMISSION_DENIED -> Kind.DENIED;
      case OUT_OF_RANGE -> Kind.COMPACTED;
      // etcd answers "user name is empty" and "authentication failed" with this one.
      case INVALID_ARGUMENT -> Kind.DENIED;
      default -> Kind.FAILED;
    };
  }

  private static String words(Status status) {
    String description = status.getDescription();
    return status.getCode() + (description == null ? "" : ": " + description);
  }
}
