package io.keyward.operator;

/// A configuration that cannot be used, and what to do about it.
public final class ConfigFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  ConfigFailure(String problem, String remedy) {
    super(problem);
    this.remedy = remedy;
  }

  ConfigFailure(String problem, String remedy, Throwable cause) {
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
