package io.keyward.kms.plugin.service;

import io.grpc.Status;
import io.keyward.kms.spi.KmsException;

/// Turns a failure into what goes over the wire. The one place that chooses gRPC codes.
final class GrpcFailure {
  private GrpcFailure() {}

  static Status of(KmsException failure) {
    Status code =
        switch (failure.kind()) {
          case UNAVAILABLE -> Status.UNAVAILABLE;
          case TIMEOUT -> Status.DEADLINE_EXCEEDED;
          case THROTTLED -> Status.RESOURCE_EXHAUSTED;
          case DENIED -> Status.PERMISSION_DENIED;
          case UNKNOWN_KEK -> Status.NOT_FOUND;
          case CORRUPT -> Status.INVALID_ARGUMENT;
          case INTERNAL -> Status.INTERNAL;
        };
    return code.withDescription(failure.describe());
  }

  /// A request that breaks the protocol. The value types say what is wrong, and hold no secret.
  static Status of(IllegalArgumentException wrong) {
    return Status.INVALID_ARGUMENT.withDescription(wrong.getMessage());
  }

  static Status budgetSpent() {
    return Status.DEADLINE_EXCEEDED.withDescription(
        "the KMS did not answer within the call budget");
  }

  static Status tooMany() {
    return Status.RESOURCE_EXHAUSTED.withDescription("too many calls wait for the KMS");
  }

  static Status defect() {
    return Status.INTERNAL.withDescription("a defect in the plugin; see its log");
  }
}
