package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KekId;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// What is known about one key. Immutable; each event gives the next state.
///
/// Calls are numbered when they start, and only the newest finished one counts: an answer that took
/// long must not undo what a later, faster call has already shown.
///
/// @param kek the version that the KMS wraps with; empty until the first success
/// @param kekSince when this plugin first saw it
/// @param superseded versions that were current before; none of them ever becomes current again
/// @param problem why the key cannot be used; empty while it can
public record KeyHealth(
    Optional<KekId> kek,
    Instant kekSince,
    Set<KekId> superseded,
    Optional<String> problem,
    Instant problemSince,
    Optional<Instant> lastSuccess,
    long newestCall) {
  /// How many versions are remembered as superseded. More rotations than this in one plugin's life
  /// do not happen; a KMS that flaps must not fill the memory.
  private static final int MAX_SUPERSEDED = 1000;

  public KeyHealth {
    superseded = Set.copyOf(superseded);
  }

  public static KeyHealth starting(Instant at) {
    return new KeyHealth(
        Optional.empty(),
        at,
        Set.of(),
        Optional.of("starting: the KMS has not answered yet"),
        at,
        Optional.empty(),
        0);
  }

  public boolean isGood() {
    return problem.isEmpty();
  }

  /// The KMS wrapped something with version `id`.
  public KeyHealth wrapped(long call, KekId id, Instant at) {
    if (call <= newestCall) {
      return this;
    }
    if (isSuperseded(id)) {
      return failed(call, "the KMS wraps with an older key version again", at);
    }
    if (kek.equals(Optional.of(id))) {
      return succeeded(call, at);
    }
    var before = new HashSet<>(superseded);
    if (before.size() < MAX_SUPERSEDED) {
      kek.ifPresent(before::add);
    }
    return new KeyHealth(Optional.of(id), at, before, Optional.empty(), at, Optional.of(at), call);
  }

  /// The KMS opened something. It says nothing about the current version, and does not end a
  /// problem: a key that opens and does not seal is not healthy. The next probe ends it, if it is
  /// over.
  public KeyHealth unwrapped(long call, Instant at) {
    if (call <= newestCall || kek.isEmpty()) {
      return this;
    }
    return new KeyHealth(
        kek, kekSince, superseded, problem, problemSince, Optional.of(at), newestCall);
  }

  /// The KMS did not do what was asked, for a reason that is its own.
  public KeyHealth failed(long call, String reason, Instant at) {
    if (call <= newestCall) {
      return this;
    }
    return new KeyHealth(
        kek,
        kekSince,
        superseded,
        Optional.of(reason),
        isGood() ? at : problemSince,
        lastSuccess,
        call);
  }

  public boolean isSuperseded(KekId id) {
    return superseded.contains(id);
  }

  private KeyHealth succeeded(long call, Instant at) {
    return new KeyHealth(kek, kekSince, superseded, Optional.empty(), at, Optional.of(at), call);
  }
}
