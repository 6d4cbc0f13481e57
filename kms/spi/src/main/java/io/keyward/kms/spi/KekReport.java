package io.keyward.kms.spi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a KMS says about a KEK when it is asked, beyond whether the last call worked: facts from
/// which a warning can be made before anything fails.
///
/// Holds no secret: it goes into metrics, logs and reports.
///
/// @param state whether the KMS lets the KEK be used
/// @param usableUntil when the KMS will stop letting it be used (expiry, planned deletion)
/// @param credentialsUntil when the credentials end that the provider uses now and cannot renew by
///   itself, or the present ones of those it can
/// @param warnings sentences about what is legal and unwise, or will fail one day; each says what
///   to do
public record KekReport(
    State state,
    Optional<Instant> usableUntil,
    Optional<Instant> credentialsUntil,
    List<String> warnings) {
  /// The states that every KMS has under one name or another.
  public enum State {
    /// The KMS was not asked, or does not say.
    UNKNOWN,
    ENABLED,
    DISABLED,
    /// Somebody asked the KMS to delete it. Until it is gone, that can be undone.
    PENDING_DELETION,
    EXPIRED
  }

  /// Nothing to say: for a KEK whose provider cannot ask.
  public static final KekReport NOTHING =
      new KekReport(State.UNKNOWN, Optional.empty(), Optional.empty(), List.of());

  public KekReport {
    warnings = List.copyOf(warnings);
  }
}
