package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.codec.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Who holds a lease, and until when.
///
/// @param holder empty where it is free
public record LeaseSpec(String holder, Optional<Instant> expires) {
  public static LeaseSpec read(JsonNode lease) {
    JsonNode spec = lease.path("spec");
    Duration term = Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong(0));
    return new LeaseSpec(
        spec.path("holderIdentity").asText(""),
        Times.parse(spec.path("renewTime").asText("")).map(renewed -> renewed.plus(term)));
  }
}
