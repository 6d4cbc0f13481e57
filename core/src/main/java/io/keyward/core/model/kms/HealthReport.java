package io.keyward.core.model.kms;

import io.keyward.core.model.Settings;
import io.keyward.core.model.key.KeySerial;
import java.time.Instant;
import java.util.Optional;

/// What one monitor last saw of one plugin.
///
/// @param statusSince since when the status is what it is, if the monitor or the observer knows
/// @param kek the last one the plugin reported; an unhealthy plugin keeps the one it had
/// @param kekSince since when the plugin reports this KEK without a break, if anybody knows
/// @param kekBefore what it reported before `kekSince`; absent where the monitor saw no other
public record HealthReport(
    String node,
    KeySerial serial,
    Status status,
    Instant lastChecked,
    Optional<KekId> kek,
    Optional<Instant> statusSince,
    Optional<Instant> kekSince,
    Optional<KekId> kekBefore,
    String detail) {

  /// From a monitor that does not tell what was before.
  public HealthReport(
      String node,
      KeySerial serial,
      Status status,
      Instant lastChecked,
      Optional<KekId> kek,
      Optional<Instant> statusSince,
      Optional<Instant> kekSince,
      String detail) {
    this(node, serial, status, lastChecked, kek, statusSince, kekSince, Optional.empty(), detail);
  }

  public enum Status {
    HEALTHY,
    UNHEALTHY,
    ERROR
  }

  /// Whether the plugin showed another KEK than this one after that time.
  public boolean tellsOfAnother(KekId recorded, Instant after) {
    return (kek.filter(now -> !now.equals(recorded)).isPresent() && lastChecked.isAfter(after))
        || (kekBefore.filter(before -> !before.equals(recorded)).isPresent()
            && kekSince.filter(since -> since.isAfter(after)).isPresent());
  }

  /// Unwell for long enough to act on it.
  public boolean isConfirmedBad(Instant now, Settings settings) {
    return status != Status.HEALTHY
        && isFresh(now, settings)
        && statusSince
            .filter(since -> !now.isBefore(since.plus(settings.unhealthyAfter())))
            .isPresent();
  }

  public boolean isFresh(Instant now, Settings settings) {
    return !now.isAfter(lastChecked.plus(settings.reportHolds()));
  }
}
