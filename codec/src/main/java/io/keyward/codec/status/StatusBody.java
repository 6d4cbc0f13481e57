package io.keyward.codec.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.EncryptionStatusCodec;
import io.keyward.core.health.HealthDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.rollout.RemovedNode;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/// The status of one API server in an operator resource: how it is read, and the bodies of all
/// patches that change it. A body has only the members that its writer owns or replaces.
///
/// @param apiVersion of the operator resource
/// @param kind of the operator resource
/// @param member of `status` that belongs to the API server; empty where it is `status` itself
public record StatusBody(String apiVersion, String kind, String member) {
  private static final String ENCRYPTION = "encryptionStatus";
  private static final String WRITE_KEY = "writeKey";
  private static final String REPORTS = "healthReports";

  public OperatorStatus read(JsonNode resource) {
    JsonNode status = resource.path("status");
    return OperatorStatusCodec.decode(status, member.isEmpty() ? status : status.path(member));
  }

  /// False where an administrator told the operator to keep its hands off.
  public boolean isManaged(JsonNode resource) {
    return switch (resource.path("spec").path("managementState").asText("")) {
      case "Unmanaged", "Removed" -> false;
      default -> true;
    };
  }

  private ObjectNode fresh() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", apiVersion).put("kind", kind);
    body.putObject("metadata").put("name", "cluster");
    return body;
  }

  /// Applied only where the resource is the one that was seen.
  private ObjectNode conditional(JsonNode seen) {
    ObjectNode body = fresh();
    body.withObject("/metadata")
        .put("resourceVersion", seen.path("metadata").path("resourceVersion").asText());
    return body;
  }

  private ObjectNode part(ObjectNode body) {
    ObjectNode status = body.withObject("/status");
    return member.isEmpty() ? status : status.withObject("/" + member);
  }

  private JsonNode part(JsonNode resource) {
    JsonNode status = resource.path("status");
    return member.isEmpty() ? status : status.path(member);
  }

  /// An agent's report on its node.
  public ObjectNode report(NodeStatus node) {
    ObjectNode body = fresh();
    part(body).putArray(OperatorStatusCodec.NODES).add(OperatorStatusCodec.encode(node));
    return body;
  }

  /// A monitor's reports on plugins. Without any, an apply removes those it made before.
  public ObjectNode reports(List<HealthReport> reports) {
    ObjectNode body = fresh();
    if (!reports.isEmpty()) {
      ArrayNode list = part(body).withObject("/" + ENCRYPTION).putArray(REPORTS);
      reports.forEach(one -> list.add(EncryptionStatusCodec.encode(one)));
    }
    return body;
  }

  public ObjectNode conditions(List<Condition> conditions) {
    ObjectNode body = fresh();
    ArrayNode list = body.withObject("/status").putArray("conditions");
    conditions.forEach(one -> list.add(OperatorStatusCodec.encode(one)));
    return body;
  }

  /// The conditions, and for people who list ClusterEncryptions the key that encrypts new data. The
  /// resources of OpenShift have no place for it.
  public ObjectNode conditions(List<Condition> conditions, String writeKey) {
    ObjectNode body = conditions(conditions);
    if (isOwn() && !writeKey.isEmpty()) {
      body.withObject("/status").put(WRITE_KEY, writeKey);
    }
    return body;
  }

  public boolean showsWriteKey(JsonNode resource, String writeKey) {
    return !isOwn() || resource.path("status").path(WRITE_KEY).asText("").equals(writeKey);
  }

  private boolean isOwn() {
    return kind.equals("ClusterEncryption");
  }

  /// How far migrations are. Without any, an apply removes those it made before.
  public ObjectNode migrations(ArrayNode entries) {
    ObjectNode body = fresh();
    if (!entries.isEmpty()) {
      part(body).withObject("/" + ENCRYPTION).set("migrations", entries);
    }
    return body;
  }

  public boolean showsMigrations(JsonNode resource, ArrayNode entries) {
    JsonNode shown = part(resource).path(ENCRYPTION).path("migrations");
    // Numbers that were read are of another class than those that are to be written.
    return shown.isMissingNode()
        ? entries.isEmpty()
        : entries.equals((one, other) -> one.asText().compareTo(other.asText()), shown);
  }

  public ObjectNode latest(JsonNode seen, long revision) {
    ObjectNode body = conditional(seen);
    part(body).put(OperatorStatusCodec.LATEST, revision);
    return body;
  }

  /// The revisions that nodes have to run, by the names of nodes.
  public ObjectNode targets(JsonNode seen, SortedMap<String, Long> targets) {
    ObjectNode body = conditional(seen);
    ArrayNode list = part(body).putArray(OperatorStatusCodec.NODES);
    targets.forEach((name, revision) ->
        list.addObject()
            .put(OperatorStatusCodec.NAME, name)
            .put(OperatorStatusCodec.TARGET, revision));
    return body;
  }

  /// Removes what these nodes reported: an agent that runs notices it and reports again.
  public ObjectNode asked(JsonNode seen, List<RemovedNode> nodes, Instant now) {
    ArrayNode entries = nodesBut(seen, nodes.stream().map(RemovedNode::node).toList());
    nodes.forEach(one -> entries.add(OperatorStatusCodec.question(one.node(), one.reports(), now)));
    ObjectNode body = conditional(seen);
    part(body).set(OperatorStatusCodec.NODES, entries);
    return body;
  }

  /// Without these nodes, whose agents no longer report.
  public ObjectNode without(JsonNode seen, List<String> nodes) {
    ArrayNode kept = nodesBut(seen, nodes);
    ObjectNode body = conditional(seen);
    part(body).set(OperatorStatusCodec.NODES, kept);
    return body;
  }

  private ArrayNode nodesBut(JsonNode seen, Collection<String> names) {
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode one : part(seen).path(OperatorStatusCodec.NODES)) {
      if (!names.contains(one.path(OperatorStatusCodec.NAME).asText())) {
        kept.add(one);
      }
    }
    return kept;
  }

  /// Without the reports of monitors that are gone. Entries that cannot be read stay.
  public ObjectNode withoutReports(JsonNode seen, List<HealthDecision.Orphan> orphans) {
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode one : part(seen).path(ENCRYPTION).path(REPORTS)) {
      boolean gone =
          orphans.stream()
              .anyMatch(orphan ->
                  orphan.node().equals(one.path("nodeName").asText())
                      && orphan.serial().toString().equals(one.path("keyID").asText()));
      if (!gone) {
        kept.add(one);
      }
    }
    ObjectNode body = conditional(seen);
    ObjectNode encryption = part(body).withObject("/" + ENCRYPTION);
    if (kept.isEmpty()) {
      encryption.putNull(REPORTS);
    } else {
      encryption.set(REPORTS, kept);
    }
    return body;
  }

  /// The configuration whose preflight is in progress or over, and the last results.
  public ObjectNode preflight(JsonNode seen, PreflightState state) {
    ObjectNode body = conditional(seen);
    ObjectNode preflight = part(body).withObject("/" + ENCRYPTION).putObject("preflight");
    state.observed().ifPresent(one -> preflight.put("observedConfigHash", one.value()));
    if (!state.others().isEmpty()) {
      ArrayNode others = preflight.putArray("otherResults");
      state.others().forEach(one -> others.add(EncryptionStatusCodec.encode(one)));
    }
    state
        .result()
        .ifPresent(one -> {
          ObjectNode encoded = EncryptionStatusCodec.encode(one);
          // A merge would keep members of the result before.
          List.of("remoteKeyID", "time", "detail").stream()
              .filter(name -> !encoded.has(name))
              .forEach(encoded::putNull);
          preflight.set("result", encoded);
        });
    return body;
  }
}
