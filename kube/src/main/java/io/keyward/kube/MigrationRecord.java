package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Wire;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.KekId;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import java.util.Optional;

/// A storage migration as it is written down in the cluster, where it survives the operator.
///
/// @param path of the object in the API
public record MigrationRecord(
    ObjectNode json, String path, MigrationStatus status, MigrationProgress progress) {
  static final String LABEL = "keyward.io/migration-of";
  private static final String ATTEMPT = "keyward.io/migration-attempt";

  /// From the annotations that every kind of migration carries.
  static MigrationRecord read(
      ObjectNode json,
      String collection,
      Resource resource,
      MigrationStatus.State state,
      MigrationProgress progress) {
    JsonNode notes = json.at("/metadata/annotations");
    String kek = notes.path(Wire.KEK_ID).asText("");
    return new MigrationRecord(
        json,
        collection + "/" + json.at("/metadata/name").asText(),
        new MigrationStatus(
            resource,
            new MigrationTarget(
                notes.path(Wire.WRITE_KEY).asText(""),
                kek.isEmpty() || kek.length() > KekId.MAX_LENGTH
                    ? Optional.empty()
                    : Optional.of(new KekId(kek))),
            notes.path(Wire.WITNESS).asText(""),
            Math.max(1, notes.path(ATTEMPT).asInt(1)),
            state),
        progress);
  }

  static String name(Resource resource) {
    return Wire.migrationName(resource.group(), resource.name());
  }

  static ObjectNode begin(
      String apiVersion, String kind, Component component, MigrationDecision.Start start) {
    ObjectNode json = Api.JSON.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
    ObjectNode metadata = json.putObject("metadata").put("name", name(start.resource()));
    metadata.putObject("labels").put(LABEL, component.name());
    ObjectNode notes = metadata.putObject("annotations");
    notes.put(Wire.WRITE_KEY, start.target().writeKey()).put(Wire.WITNESS, start.witness());
    notes.put(ATTEMPT, Integer.toString(start.attempt()));
    start.target().kek().ifPresent(kek -> notes.put(Wire.KEK_ID, kek.value()));
    return json;
  }

  /// Ours by its label. One without a label is of a system that used the same names before us.
  static boolean belongsTo(Component component, JsonNode json) {
    JsonNode label = json.at("/metadata/labels").path(LABEL);
    String name = json.at("/metadata/name").asText();
    return label.isMissingNode()
        ? component.resources().stream().anyMatch(resource -> name(resource).equals(name))
        : label.asText("").equals(component.name());
  }

  static boolean isLabelled(JsonNode json) {
    return json.at("/metadata/labels").has(LABEL);
  }

  /// Whether what this one did counts for a migration that is to begin.
  boolean serves(MigrationDecision.Start start) {
    return status.target().equals(start.target()) && status.witness().equals(start.witness());
  }
}
