package io.keyward.testbed.process;

import java.util.List;

/// The one failure of the testbed: what went wrong, what the reader can do, and the last words of
/// the server where it left any.
public final class TestbedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String remedy;
  private final transient List<String> logTail;

  public TestbedException(String problem, String remedy) {
    this(problem, remedy, List.of());
  }

  public TestbedException(String problem, String remedy, List<String> logTail) {
    super(words(problem, remedy, logTail));
    this.problem = problem;
    this.remedy = remedy;
    this.logTail = List.copyOf(logTail);
  }

  public TestbedException(String problem, String remedy, Throwable cause) {
    super(words(problem, remedy, List.of()), cause);
    this.problem = problem;
    this.remedy = remedy;
    this.logTail = List.of();
  }

  public String problem() {
    return problem;
  }

  public String remedy() {
    return remedy;
  }

  public List<String> logTail() {
    return logTail;
  }

  private static String words(String problem, String remedy, List<String> logTail) {
    var all = new StringBuilder(problem);
    if (!remedy.isEmpty()) {
      all.append("; ").append(remedy);
    }
    logTail.forEach(line -> all.append("\n  | ").append(line));
    return all.toString();
  }
}
