package io.keyward.core.condition;

import io.keyward.core.model.Condition;
import io.keyward.core.model.Condition.Status;
import io.keyward.core.model.ObservedState;
import java.util.Optional;

/// One condition before it has a time.
record Words(String type, Status status, String reason, String message) {
  static Words no(String type) {
    return new Words(type, Status.FALSE, "", "");
  }

  static Words no(String type, String reason, String message) {
    return new Words(type, Status.FALSE, reason, message);
  }

  static Words yes(String type, String reason, String message) {
    return new Words(type, Status.TRUE, reason, message);
  }

  static Words unknown(String type, String reason, String message) {
    return new Words(type, Status.UNKNOWN, reason, message);
  }

  static Optional<Condition> before(String type, ObservedState seen) {
    for (Condition condition : seen.conditions()) {
      if (condition.type().equals(type)) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  /// Keeps the time as long as status and reason stay, so that a wait shows when it began.
  Condition at(ObservedState seen) {
    return new Condition(
        type,
        status,
        reason,
        message,
        before(type, seen)
            .filter(old -> old.status() == status && old.reason().equals(reason))
            .map(Condition::since)
            .orElse(seen.at()));
  }
}
