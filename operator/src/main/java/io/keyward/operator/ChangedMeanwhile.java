package io.keyward.operator;

/// Somebody was faster. No failure: the next look decides anew.
public final class ChangedMeanwhile extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ChangedMeanwhile(String what) {
    super(what + " changed meanwhile");
  }
}
