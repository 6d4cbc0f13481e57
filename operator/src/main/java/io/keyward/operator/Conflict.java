package io.keyward.operator;

/// Somebody was faster. No failure: the next look decides anew.
public final class Conflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Conflict(String what) {
    super(what + " changed meanwhile");
  }
}
