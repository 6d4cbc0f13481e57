package io.keyward.cli;

import io.keyward.cli.output.Printable;
import java.util.stream.Collectors;

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
    String problem = "keyward: " + printable(String.valueOf(getMessage()));
    return problem + (remedy.isEmpty() ? "" : "\n  " + printable(remedy));
  }

  /// Names that the user or etcd chose may be part of it; our own line breaks stay.
  private static String printable(String text) {
    return text.lines().map(Printable::of).collect(Collectors.joining("\n"));
  }
}
