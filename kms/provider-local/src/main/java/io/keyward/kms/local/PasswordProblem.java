package io.keyward.kms.local;

import java.nio.file.Path;

/// Why a password file cannot be used.
public final class PasswordProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PasswordProblem(Path file, String detail) {
    super("password file " + file + " " + detail);
  }

  public String problem() {
    return String.valueOf(getMessage());
  }
}
