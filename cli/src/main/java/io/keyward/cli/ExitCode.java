package io.keyward.cli;

/// What a command tells the shell. Scripts rely on these; they never change.
public final class ExitCode {
  public static final int FINE = 0;

  /// The command did its work and found something, or a check failed.
  public static final int FINDINGS = 1;

  /// The command could not do its work.
  public static final int FAILED = 2;

  public static final int USAGE = 64;

  private ExitCode() {}
}
