package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Wire;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.KekId;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A storage migration as it is written down: a ConfigMap that survives the operator.
record MigrationRecord(ObjectNode json, MigrationStatus status) {
  static final String PATH = KubeSite.MANAGED + "/configmaps";
  private static final String LABEL = "keyward.io/migration-of";

  static SortedMap<Resource, MigrationRecord> list(Api api, String component) {
    var found = new TreeMap<Resource, MigrationRecord>();
    for (ObjectNode item :
        api.list(PATH + "?labelSelector=" + LABEL.replace("/", "%2F") + "%3D" + component)) {
      MigrationRecord one = read(item);
      found.put(one.status().resource(), one);
    }
    return found;
  }

  static MigrationRecord read(ObjectNode json) {
    JsonNode data = json.path("data");
    JsonNode notes = json.at("/metadata/annotations");
    String kek = notes.path(Wire.KEK_ID).asText("");
    Instant at = StatusReader.time(data.path("finishedTime").asText("")).orElse(Instant.EPOCH);
    MigrationStatus.State state =
        switch (data.path("state").asText("")) {
          case "Running" -> new MigrationStatus.State.Running();
          case "Succeeded" -> new MigrationStatus.State.Succeeded(at);
          default -> new MigrationStatus.State.Failed(at, data.path("detail").asText("unknown"));
        };
    return new MigrationRecord(
        json,
        new MigrationStatus(
            Resource.parse(data.path("resource").asText("unknown")),
            new MigrationTarget(
                notes.path(Wire.WRITE_KEY).asText(""),
                kek.isEmpty() ? Optional.empty() : Optional.of(new KekId(kek))),
            notes.path(Wire.WITNESS).asText(""),
            Math.max(1, data.path("attempt").asInt(1)),
            state));
  }

  static String name(Resource resource) {
    return Wire.migrationName(resource.group(), resource.name());
  }

  String path() {
    return PATH + "/" + json.at("/metadata/name").asText();
  }

  static ObjectNode begin(String component, MigrationDecision.Start start, Instant now) {
    ObjectNode json = Api.JSON.createObjectNode().put("apiVersion", "v1");
    json.put("kind", "ConfigMap");
    ObjectNode metadata = json.putObject("metadata").put("name", name(start.resource()));
    metadata.putObject("labels").put(LABEL, component);
    ObjectNode notes = metadata.putObject("annotations");
    notes.put(Wire.WRITE_KEY, start.target().writeKey()).put(Wire.WITNESS, start.witness());
    start.target().kek().ifPresent(kek -> notes.put(Wire.KEK_ID, kek.value()));
    json.putObject("data")
        .put("resource", start.resource().canonical())
        .put("state", "Running")
        .put("attempt", Integer.toString(start.attempt()))
        .put("startedTime", now.toString());
    return json;
  }
}
