package io.keyward.core.rollout.node;

import io.keyward.core.rollout.OneLine;

/// A revision that this node could not run.
///
/// @param why one line, with nothing of any file
public record NodeFailure(long revision, Kind kind, String why) {
  /// One word for programs.
  public enum Kind {
    /// Its files are not here.
    NOT_BROUGHT("NotBrought"),
    /// They are, and the API server does not run with them.
    NOT_READY("NotReady");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    public static Kind of(String word) {
      return word.equals(NOT_BROUGHT.word) ? NOT_BROUGHT : NOT_READY;
    }
  }

  public NodeFailure {
    why = OneLine.of(why);
  }
}
