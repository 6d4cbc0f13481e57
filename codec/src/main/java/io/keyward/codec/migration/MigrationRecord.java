package io.keyward.codec.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.WireNames;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.core.model.kms.KekId;
import java.util.Collection;

/// A storage migration as it is recorded in the cluster, where it survives the operator.
///
/// @param path of the object in the API
public record MigrationRecord(
    ObjectNode json, String path, MigrationStatus status, MigrationProgress progress) {
  private static final String LABEL = "keyward.io/migration-of";
  private static final String ATTEMPT = "keyward.io/migration-attempt";
  private static final int LONGEST_DETAIL = 1024;

  /// From the annotations that every kind of migration carries.
  static MigrationRecord read(
      ObjectNode json,
      String collection,
      Resource resource,
      State state,
      MigrationProgress progress) {
    return new MigrationRecord(
        json,
        collection + "/" + ObjectMeta.name(json),
        new MigrationStatus(
            resource,
            new MigrationTarget(
                ObjectMeta.annotation(json, WireNames.WRITE_KEY),
                KekId.parse(ObjectMeta.annotation(json, WireNames.KEK_ID))),
            ObjectMeta.annotation(json, WireNames.WITNESS),
            attempt(ObjectMeta.annotation(json, ATTEMPT)),
            state),
        progress);
  }

  private static int attempt(String text) {
    return text.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(text) : 1;
  }

  /// The label of the migrations of an API server.
  public static Labels label(String component) {
    return Labels.of(LABEL, component);
  }

  /// The name of the migration of a resource for an API server.
  public static String name(String component, Resource resource) {
    return WireNames.migrationName(resource.group(), resource.name(), component);
  }

  static ObjectNode begin(
      String apiVersion, String kind, String component, MigrationDecision.Start start) {
    ObjectNode json = ObjectMeta.fresh(apiVersion, kind, name(component, start.resource()));
    ObjectNode metadata = json.withObject("/metadata");
    metadata.putObject("labels").put(LABEL, component);
    ObjectNode notes = metadata.putObject("annotations");
    notes
        .put(WireNames.WRITE_KEY, start.target().writeKey())
        .put(WireNames.WITNESS, start.witness());
    notes.put(ATTEMPT, Integer.toString(start.attempt()));
    start.target().kek().ifPresent(kek -> notes.put(WireNames.KEK_ID, kek.value()));
    return json;
  }

  /// Ours by its label. One without a label, under OpenShift's name, is of the system that Keyward
  /// replaced.
  static boolean belongsTo(String component, Collection<Resource> resources, JsonNode json) {
    String name = ObjectMeta.name(json);
    return isLabelled(json)
        ? label(component).match(json)
        : resources.stream()
            .anyMatch(one -> WireNames.migrationName(one.group(), one.name()).equals(name));
  }

  public static boolean isLabelled(JsonNode json) {
    return Labels.exists(LABEL).match(json);
  }

  public String uid() {
    return ObjectMeta.uid(json);
  }

  public String version() {
    return ObjectMeta.version(json);
  }

  /// Whether what this one did counts for a migration that is to begin.
  boolean serves(MigrationDecision.Start start) {
    return status.target().equals(start.target()) && status.witness().equals(start.witness());
  }

  /// How far it is, for the status of the operator resource.
  public ObjectNode entry() {
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.put("resource", status.resource().canonical());
    one.put("writeKey", status.target().writeKey());
    if (!progress.equals(MigrationProgress.UNKNOWN)) {
      one.put("done", progress.done()).put("total", progress.total());
      one.put("perSecond", Math.round(progress.perSecond()));
    }
    switch (status.state()) {
      case State.Running _ -> {
        one.put("state", "Running");
        progress.secondsLeft().ifPresent(left -> one.put("secondsLeft", left));
      }
      case State.Succeeded _ -> one.put("state", "Succeeded");
      case State.Failed(_, var message) -> {
        one.put("state", "Failed");
        if (!message.isEmpty()) {
          one.put("detail", bounded(message));
        }
      }
    }
    return one;
  }

  static String bounded(String text) {
    return text.length() > LONGEST_DETAIL ? text.substring(0, LONGEST_DETAIL) : text;
  }
}
