package io.keyward.serve;

/// Why a server cannot start with good settings, and what to do about it.
public final class ListenFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  ListenFailure(String problem, String remedy) {
    super(problem);
    this.remedy = remedy;
  }

  ListenFailure(String problem, String remedy, Throwable cause) {
    super(problem, cause);
    this.remedy = remedy;
  }

  public String problem() {
    return String.valueOf(getMessage());
  }

  public String remedy() {
    return remedy;
  }
}
