package io.keyward.kms.vault;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A token and what Vault said about it.
///
/// @param life how long it was good for when it was got or renewed; zero means for ever
record Session(String token, Instant since, Duration life, boolean renewable) {
  static Session of(VaultJson auth, Instant now) {
    return new Session(
        auth.text("client_token"),
        now,
        Duration.ofSeconds(auth.number("lease_duration").orElse(0L)),
        auth.isTrue("renewable"));
  }

  Optional<Instant> end() {
    return life.isZero() ? Optional.empty() : Optional.of(since.plus(life));
  }

  boolean isOver(Instant now) {
    return end().filter(end -> !now.isBefore(end)).isPresent();
  }

  boolean isHalfOver(Instant now) {
    return !life.isZero() && !now.isBefore(since.plus(life.dividedBy(2)));
  }

  /// The token is a secret.
  @Override
  public String toString() {
    return "Session[since " + since + ", life " + life + "]";
  }
}
