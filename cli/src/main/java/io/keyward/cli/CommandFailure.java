package io.keyward.cli;

/// Ends a command with exit code 2: what could not be done, and what the reader can do about it.
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  public CommandFailure(String problem, String remedy) {
    super(problem);
    this.remedy = remedy;
  }

  public CommandFailure(String problem, String remedy, Throwable cause) {
    super(problem, cause);
    this.remedy = remedy;
  }

  /// The problem and, where there is one, the remedy on a line of its own.
  public String explanation() {
    return "keyward: " + getMessage() + (remedy.isEmpty() ? "" : "\n  " + remedy);
  }
}
