package io.keyward.core.model.kms;

import io.keyward.core.model.Settings;
import io.keyward.core.model.key.KeySerial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What one monitor last saw of one plugin.
///
/// @param statusSince since when the status is what it is, if the monitor or the observer knows
/// @param kek the last one the plugin reported; an unhealthy plugin keeps the one it had
/// @param kekSince since when the plugin reports this KEK without a break, if anybody knows
/// @param kekBefore what it reported before `kekSince`; absent where the monitor saw no other
/// @param changeSeen when the reader saw the plugin change to this KEK; absent where the reader saw
///   no other one, and in a report as it is stored
/// @param warnings what the KMS reports about its key before that becomes an outage
public record HealthReport(
    String node,
    KeySerial serial,
    Status status,
    Instant lastChecked,
    Optional<KekId> kek,
    Optional<Instant> statusSince,
    Optional<Instant> kekSince,
    Optional<KekId> kekBefore,
    Optional<Instant> changeSeen,
    String detail,
    List<String> warnings) {

  public HealthReport {
    warnings = List.copyOf(warnings);
  }

  /// As it is stored.
  public HealthReport(
      String node,
      KeySerial serial,
      Status status,
      Instant lastChecked,
      Optional<KekId> kek,
      Optional<Instant> statusSince,
      Optional<Instant> kekSince,
      Optional<KekId> kekBefore,
      String detail) {
    this(
        node,
        serial,
        status,
        lastChecked,
        kek,
        statusSince,
        kekSince,
        kekBefore,
        Optional.empty(),
        detail,
        List.of());
  }

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

  /// The same with what the KMS says about its key.
  public HealthReport warning(List<String> other) {
    return new HealthReport(
        node,
        serial,
        status,
        lastChecked,
        kek,
        statusSince,
        kekSince,
        kekBefore,
        changeSeen,
        detail,
        other);
  }

  public enum Status {
    HEALTHY,
    UNHEALTHY,
    ERROR
  }

  /// The latest time at which the plugin may have changed to its KEK, by the clock of the reader.
  ///
  /// A clock that is behind is behind in both times of a report, so the report looks older than it
  /// is by the same amount. If the clock was corrected between the two, only a reader that saw the
  /// change knows better.
  public Instant kekSinceAtLatest(Instant now) {
    Instant told = kekSince.orElse(now);
    Duration age = Duration.between(lastChecked, now);
    Instant latest = age.isNegative() ? told : told.plus(age);
    return changeSeen.filter(latest::isBefore).orElse(latest);
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
