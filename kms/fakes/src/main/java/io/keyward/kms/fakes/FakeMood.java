package io.keyward.kms.fakes;

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

  FakeMood GOOD = new Good();
}
