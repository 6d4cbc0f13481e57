package io.keyward.core.model;

import java.time.Instant;

/// One line of status, as users and other controllers read it.
///
/// @param since when the status last changed
public record Condition(String type, Status status, String reason, String message, Instant since) {
  public enum Status {
    TRUE("True"),
    FALSE("False"),
    UNKNOWN("Unknown");

    private final String word;

    Status(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /// Whether it reports that something is wrong.
  public boolean isDegraded() {
    return type.endsWith("Degraded") && status == Status.TRUE;
  }
}
