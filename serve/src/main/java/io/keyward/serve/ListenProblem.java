package io.keyward.serve;

/// Settings with which no server starts: the problem and its remedy in one sentence.
public final class ListenProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ListenProblem(String problem) {
    super(problem);
  }

  public String problem() {
    return String.valueOf(getMessage());
  }
}
