package io.keyward.kms.client;

import io.grpc.Status;

/// A call that the plugin refused, or that never reached it.
public final class PluginCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Status status;

  PluginCallException(Status status, Throwable cause) {
    super("the plugin did not return a valid response", cause);
    this.status = status;
  }

  /// The gRPC code, by its name: `UNAVAILABLE`, `UNIMPLEMENTED` …
  public String code() {
    return status.getCode().name();
  }

  /// What the plugin, or the connection, said. May be empty.
  public String description() {
    String description = status.getDescription();
    return description == null ? "" : description;
  }

  public boolean isTimeout() {
    return status.getCode() == Status.Code.DEADLINE_EXCEEDED;
  }

  public boolean isUnimplemented() {
    return status.getCode() == Status.Code.UNIMPLEMENTED;
  }
}
