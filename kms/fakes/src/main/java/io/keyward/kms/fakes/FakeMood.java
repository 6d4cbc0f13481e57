package io.keyward.kms.fakes;

import io.keyward.kms.tck.Trouble;
import java.time.Duration;

/// How a fake behaves from now on.
public sealed interface FakeMood {
  record Good() implements FakeMood {}

  /// Answers rightly, and late.
  record Slow(Duration delay) implements FakeMood {}

  /// Takes the request and never answers.
  record Silent() implements FakeMood {}

  /// Closes the connection instead of answering.
  record Reset() implements FakeMood {}

  /// Answers every call with this HTTP status, and with no body that a service would write, as a
  /// proxy before it does.
  record Status(int code) implements FakeMood {}

  /// Answers every call with success and an empty object.
  record Empty() implements FakeMood {}

  FakeMood GOOD = new Good();

  /// What the contract wants to see.
  static FakeMood of(Trouble trouble) {
    return switch (trouble) {
      case NONE -> GOOD;
      case LATE -> new Slow(Duration.ofMillis(500));
      case SLOW -> new Slow(Duration.ofSeconds(10));
      case SILENT -> new Silent();
      case RESET -> new Reset();
      case THROTTLED -> new Status(429);
      case BROKEN -> new Status(500);
      case UNAVAILABLE -> new Status(503);
      case DENIED -> new Status(403);
      case EMPTY -> new Empty();
    };
  }
}
