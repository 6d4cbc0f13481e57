package io.keyward.engine;

/// What came of an act.
public sealed interface Outcome {
  record Done() implements Outcome {}

  /// An object was modified since it was observed. No failure: the next turn decides again.
  ///
  /// @param object which one
  record Conflict(String object) implements Outcome {}

  /// It could not be carried out.
  ///
  /// @param problem what went wrong and, where it is known, the remedy
  record Failed(String problem) implements Outcome {}
}
