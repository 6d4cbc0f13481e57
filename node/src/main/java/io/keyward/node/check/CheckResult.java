package io.keyward.node.check;

/// The result of one check of a node.
///
/// @param detail one sentence about the current state; with the cause and the remedy unless the
///   check passed
public record CheckResult(String name, Outcome outcome, String detail) {
  /// How a check ended.
  public enum Outcome {
    OK,
    /// It works, and will stop working if nobody acts.
    WARNING,
    FAILED
  }

  static CheckResult ok(String name, String detail) {
    return new CheckResult(name, Outcome.OK, detail);
  }

  static CheckResult warning(String name, String detail) {
    return new CheckResult(name, Outcome.WARNING, detail);
  }

  static CheckResult failed(String name, String detail) {
    return new CheckResult(name, Outcome.FAILED, detail);
  }
}
