package io.keyward.codec.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Times;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Resource;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/// A migration that a controller of the cluster is asked for: a `StorageVersionMigration`. Such a
/// controller does not report how far it is.
public final class RequestedMigrationCodec {
  private RequestedMigrationCodec() {}

  /// Empty where it belongs to someone else, or names no resource.
  public static Optional<MigrationRecord> read(
      ObjectNode json,
      String collection,
      String component,
      Collection<Resource> resources,
      Instant now) {
    JsonNode resource = json.path("spec").path("resource");
    String name = resource.path("resource").asText("");
    if (name.isEmpty() || !MigrationRecord.belongsTo(component, resources, json)) {
      return Optional.empty();
    }
    return Optional.of(
        MigrationRecord.read(
            json,
            collection,
            new Resource(resource.path("group").asText(""), name),
            state(json, now),
            MigrationProgress.UNKNOWN));
  }

  /// A time to come was set by another clock, and does not count.
  static State state(JsonNode json, Instant now) {
    for (JsonNode one : json.path("status").path("conditions")) {
      if (one.path("status").asText("").equals("True")) {
        Instant at =
            Times.parse(one.path("lastTransitionTime").asText(""))
                .or(() -> Times.parse(one.path("lastUpdateTime").asText("")))
                .filter(time -> !time.isAfter(now))
                .orElse(Instant.EPOCH);
        switch (one.path("type").asText("")) {
          case "Succeeded" -> {
            return new State.Succeeded(at);
          }
          case "Failed" -> {
            return new State.Failed(at, MigrationRecord.bounded(one.path("message").asText("")));
          }
          default -> {}
        }
      }
    }
    return new State.Running();
  }

  /// A request.
  ///
  /// @param version of the resource, for controllers that do not find it by themselves
  public static ObjectNode start(
      String api, String component, MigrationDecision.Start start, Optional<String> version) {
    ObjectNode json = MigrationRecord.begin(api, "StorageVersionMigration", component, start);
    ObjectNode resource = json.putObject("spec").putObject("resource");
    resource.put("group", start.resource().group()).put("resource", start.resource().name());
    version.ifPresent(text -> resource.put("version", text));
    return json;
  }
}
