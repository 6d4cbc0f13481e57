package io.keyward.kms.plugin.service;

/// Is told of every finished call. Called on the event loop, so it must not wait.
@FunctionalInterface
public interface CallObserver {
  /// Notes a finished call.
  ///
  /// @param code the gRPC code's name, `OK` where it went well
  void finished(Operation operation, String code, long nanos);
}
