package io.keyward.kube;

import io.keyward.core.model.HealthReport;
import io.keyward.core.model.KekId;
import io.keyward.core.model.KeySerial;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Since when each report says what it says. Kept in memory: after a restart it counts anew, which
/// only makes a KEK settle later.
final class Sightings {
  private final Map<String, Sighting> seen = new HashMap<>();

  record Sighting(
      HealthReport.Status status, Instant statusSince, Optional<KekId> kek, Instant kekSince) {}

  Sighting note(
      String node, KeySerial serial, HealthReport.Status status, Optional<KekId> kek, Instant now) {
    return seen.merge(
        node + "/" + serial,
        new Sighting(status, now, kek, now),
        (before, fresh) ->
            new Sighting(
                status,
                before.status() == status ? before.statusSince() : now,
                kek,
                before.kek().equals(kek) ? before.kekSince() : now));
  }
}
