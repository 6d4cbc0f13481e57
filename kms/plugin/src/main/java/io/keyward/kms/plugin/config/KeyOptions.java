package io.keyward.kms.plugin.config;

import java.time.Duration;
import java.util.Optional;

/// What an admin may turn on for one key. All of it is off by default.
///
/// @param decryptCache how much of what was opened is remembered
/// @param backend how hard the KMS may be called
/// @param localKek when a local KEK is replaced; empty means that there is none
public record KeyOptions(
    Optional<DecryptCache> decryptCache, BackendLimit backend, Optional<LocalKekLimits> localKek) {
  public static final KeyOptions NONE =
      new KeyOptions(Optional.empty(), BackendLimit.NONE, Optional.empty());

  /// The bounds of the memory for opened DEKs.
  ///
  /// @param entries how many at most
  /// @param ttl how long each at most, counted from when the KMS opened it
  public record DecryptCache(int entries, Duration ttl) {}

  /// The most that a KMS is asked. Zero means no limit.
  ///
  /// @param rate calls in a second
  /// @param calls calls at one time
  public record BackendLimit(int rate, int calls) {
    public static final BackendLimit NONE = new BackendLimit(0, 0);
  }

  /// When a local KEK is due to be replaced.
  ///
  /// It may be used for twice as long and twice as often while the KMS cannot be reached; then
  /// wrapping stops.
  public record LocalKekLimits(Duration maxAge, long maxUses) {
    /// Random nonces of AES-GCM are safe up to 2^32 uses of a key. This stays far below.
    public static final long MOST_USES = 1L << 24;

    public static final LocalKekLimits DEFAULT = new LocalKekLimits(Duration.ofDays(7), 1L << 20);
  }
}
