package io.keyward.kms.plugin.socket;

/// Why a socket cannot be opened, and what to do about it.
public final class SocketProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  SocketProblem(String problem, String remedy) {
    super(problem);
    this.remedy = remedy;
  }

  public String problem() {
    return String.valueOf(getMessage());
  }

  public String remedy() {
    return remedy;
  }
}
