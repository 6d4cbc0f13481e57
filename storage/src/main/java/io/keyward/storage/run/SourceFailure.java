package io.keyward.storage.run;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Why a source cannot be read, and what to do about it.
public final class SourceFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Callers that know more about how the source was named can give a better remedy.
  public enum Kind {
    IS_DIRECTORY,
    NOT_A_DATABASE,
    NOT_A_DATA_DIRECTORY,
    UNREADABLE,

    /// A running etcd did not answer as asked.
    NO_ANSWER,
    INTERRUPTED
  }

  private final Kind kind;
  private final String remedy;

  public SourceFailure(Kind kind, String problem, String remedy) {
    super(problem);
    this.kind = kind;
    this.remedy = remedy;
  }

  public SourceFailure(Kind kind, String problem, String remedy, Throwable cause) {
    super(problem, cause);
    this.kind = kind;
    this.remedy = remedy;
  }

  /// Each reason has its own words.
  public static SourceFailure unreadable(Path file, IOException reason) {
    return switch (reason) {
      case NoSuchFileException _ -> unreadable("no such file: " + file, "check the path", reason);
      case AccessDeniedException _ ->
          unreadable("permission denied: " + file, "run as a user who may read it", reason);
      default -> unreadable("cannot read " + file, String.valueOf(reason.getMessage()), reason);
    };
  }

  private static SourceFailure unreadable(String problem, String remedy, IOException reason) {
    return new SourceFailure(Kind.UNREADABLE, problem, remedy, reason);
  }

  public Kind kind() {
    return kind;
  }

  public String problem() {
    return String.valueOf(getMessage());
  }

  public String remedy() {
    return remedy;
  }
}
