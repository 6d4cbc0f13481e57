package io.keyward.testkit.sim;

/// A statement of the design that did not hold. Ends the run.
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int statement;

  /// One statement broken.
  ///
  /// @param statement its number in the design, 1 to 10
  Violation(int statement, String what) {
    super(what, null, false, false);
    this.statement = statement;
  }

  public int statement() {
    return statement;
  }

  public String what() {
    return String.valueOf(getMessage());
  }
}
