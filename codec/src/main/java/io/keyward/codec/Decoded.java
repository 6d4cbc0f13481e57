package io.keyward.codec;

import io.keyward.core.model.Problem;
import java.util.function.Function;

/// What was read, or what is wrong with it.
public sealed interface Decoded<T> {
  record Good<T>(T value) implements Decoded<T> {}

  record Bad<T>(Problem problem) implements Decoded<T> {}

  static <T> Decoded<T> good(T value) {
    return new Good<>(value);
  }

  /// The words go into conditions, and what they quote was written by others.
  static <T> Decoded<T> bad(String where, String what) {
    return new Bad<>(
        new Problem(where, what.length() <= 300 ? what : what.substring(0, 300) + "…"));
  }

  /// The value.
  ///
  /// @param failure what to throw where there is none
  default T orElseThrow(Function<Problem, RuntimeException> failure) {
    return switch (this) {
      case Good<T>(var value) -> value;
      case Bad<T>(var problem) -> throw failure.apply(problem);
    };
  }

  default <R> Decoded<R> then(Function<T, Decoded<R>> next) {
    return switch (this) {
      case Good<T>(var value) -> next.apply(value);
      case Bad<T>(var problem) -> new Bad<>(problem);
    };
  }
}
