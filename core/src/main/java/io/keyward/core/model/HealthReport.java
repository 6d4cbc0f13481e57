package io.keyward.core.model;

import java.time.Instant;
import java.util.Optional;

/// What one monitor last saw of one plugin.
///
/// @param statusSince since when the status is what it is, if the monitor or the observer knows
/// @param kekSince since when the plugin reports this KEK without a break, if anybody knows
public record HealthReport(
    String node,
    KeySerial serial,
    Status status,
    Instant lastChecked,
    Optional<KekId> kek,
    Optional<Instant> statusSince,
    Optional<Instant> kekSince,
    String detail) {

  public enum Status {
    HEALTHY,
    UNHEALTHY,
    ERROR
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
