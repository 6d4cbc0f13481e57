package io.keyward.engine;

/// Notices who writes the same in turn after turn. Then it has no effect, or somebody else takes it
/// back, and that must not keep an API server busy.
final class Repetition {
  private static final int TOO_OFTEN = 3;

  private String last = "";
  private int times;

  /// Takes one more turn in, and tells whether the same was written too often in a row.
  ///
  /// @param words what a turn wrote; empty where it wrote nothing
  boolean add(String words) {
    times = words.equals(last) ? times + 1 : 1;
    last = words;
    return times >= TOO_OFTEN && !words.isEmpty();
  }
}
