package io.keyward.serve;

import java.util.Optional;

/// The answer to one question about the health of a process.
///
/// @param text whole lines without a trailing line break, for a person who looks at the endpoint
public record Health(boolean isGood, String text) {
  public static final Health GOOD = new Health(true, "ok");

  /// Good, unless there is a problem.
  public static Health of(Optional<String> problem) {
    return problem.map(text -> new Health(false, text)).orElse(GOOD);
  }
}
