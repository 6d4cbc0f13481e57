package io.keyward.node.program;

/// Settings that do not fit the configuration of the operator.
public final class SettingsProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SettingsProblem(String problem) {
    super(problem);
  }

  public String problem() {
    return String.valueOf(getMessage());
  }
}
