package io.keyward.cli;

import io.keyward.cli.output.Logs;
import io.keyward.cli.output.Printable;
import java.io.PrintWriter;

/// The one place that turns a failure nobody foresaw into one sentence. Without it the JVM would
/// print a stack trace and exit with 1, which means "findings".
final class Unexpected {
  private static final int MAX_DETAIL = 300;

  private Unexpected() {}

  static int explain(Throwable failure, PrintWriter err) {
    err.println(failure(failure).explanation());
    if (Logs.isDebugging()) {
      failure.printStackTrace(err);
    }
    err.flush();
    return ExitCode.FAILED;
  }

  private static CommandFailure failure(Throwable failure) {
    return switch (failure) {
      case CommandFailure known -> known;
      case OutOfMemoryError _ ->
          new CommandFailure(
              "not enough memory", "raise the limit, for example KEYWARD_JAVA_OPTS=-Xmx4g");
      case StackOverflowError _ ->
          new CommandFailure("the input is nested too deeply", "check that it is the right file");
      case InternalError fault when isMappingFault(fault) ->
          new CommandFailure(
              "a file was truncated while it was being read",
              "read a copy that no other process changes");
      default ->
          new CommandFailure(
              "internal error: " + failure.getClass().getSimpleName() + detail(failure),
              "set " + Logs.DEBUG + "=1 to add the stack trace to a report of this defect");
    };
  }

  /// How the JVM reports that mapped pages no longer exist.
  private static boolean isMappingFault(InternalError fault) {
    return String.valueOf(fault.getMessage()).contains("unsafe memory access");
  }

  private static String detail(Throwable failure) {
    String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return "";
    }
    String line = Printable.of(message.strip());
    return ": " + (line.length() > MAX_DETAIL ? line.substring(0, MAX_DETAIL) + "…" : line);
  }
}
