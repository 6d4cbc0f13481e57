package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.health.HealthDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.RemovedNode;
import io.keyward.core.model.Revisions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Writes the status of the operator's resource. Nothing is written that stands there already.
final class StatusWriter {
  private static final int LONGEST_DETAIL = 1024;

  private final Api api;
  private final Component component;
  private final StatusBody own;
  private ObjectNode operator;

  StatusWriter(Api api, Component component, ObjectNode operator) {
    this.api = api;
    this.component = component;
    this.own = new StatusBody(component);
    this.operator = operator;
  }

  static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static String bounded(String text) {
    return text.length() > LONGEST_DETAIL ? text.substring(0, LONGEST_DETAIL) : text;
  }

  JsonNode now() {
    return own.read(operator);
  }

  /// Merges, on condition that the resource is what was seen.
  private void merge(Consumer<ObjectNode> change) {
    ObjectNode body = own.fresh();
    body.withObject("/metadata")
        .put("resourceVersion", operator.at("/metadata/resourceVersion").asText());
    change.accept(own.part(body));
    operator = api.mergePatch(component.operatorPath() + "/status", body);
  }

  void preflight(Consumer<ObjectNode> change) {
    merge(status -> change.accept(status.withObject("/encryptionStatus/preflight")));
  }

  void latest(long revision) {
    merge(status -> status.put("latestAvailableRevision", revision));
  }

  void target(String node, long revision, List<Revisions.Node> nodes) {
    ObjectNode body = own.fresh();
    body.withObject("/metadata")
        .put("resourceVersion", operator.at("/metadata/resourceVersion").asText());
    ArrayNode list = own.part(body).putArray("nodeStatuses");
    for (Revisions.Node one : nodes) {
      long target = one.name().equals(node) ? revision : one.target();
      if (target > 0) {
        list.addObject().put("nodeName", one.name()).put("targetRevision", target);
      }
    }
    operator =
        api.apply(
            component.operatorPath() + "/status", component.name() + "-EncryptionRollout", body);
  }

  /// An agent that lives sees that its own words are gone, and says them again.
  void ask(List<RemovedNode> nodes, Instant now) {
    ArrayNode entries = nodesBut(nodes.stream().map(RemovedNode::node).toList());
    for (RemovedNode one : nodes) {
      ObjectNode entry = entries.addObject().put("nodeName", one.node());
      entry.put(StatusReader.ASKED, seconds(now));
      if (one.reports()) {
        entry.put(StatusReader.ANSWERED, true);
      }
    }
    merge(status -> status.set("nodeStatuses", entries));
  }

  /// Whoever wrote of them is gone, so nobody else takes it back.
  void forgetNodes(List<String> gone) {
    ArrayNode kept = nodesBut(gone);
    merge(status -> status.set("nodeStatuses", kept));
  }

  private ArrayNode nodesBut(List<String> names) {
    ArrayNode kept = Api.JSON.createArrayNode();
    for (JsonNode one : now().path("nodeStatuses")) {
      if (!names.contains(one.path("nodeName").asText())) {
        kept.add(one);
      }
    }
    return kept;
  }

  void forget(List<HealthDecision.Orphan> orphans) {
    ArrayNode kept = Api.JSON.createArrayNode();
    for (JsonNode one : now().at("/encryptionStatus/healthReports")) {
      boolean gone =
          orphans.stream()
              .anyMatch(o ->
                  o.node().equals(one.path("nodeName").asText())
                      && o.serial().toString().equals(one.path("keyID").asText()));
      if (!gone) {
        kept.add(one);
      }
    }
    merge(status -> {
      ObjectNode encryption = status.withObject("/encryptionStatus");
      if (kept.isEmpty()) {
        encryption.putNull("healthReports");
      } else {
        encryption.set("healthReports", kept);
      }
    });
  }

  void conditions(List<Condition> wanted, List<Condition> stand) {
    boolean same =
        wanted.stream()
            .map(StatusWriter::text)
            .toList()
            .equals(
                wanted.stream()
                    .flatMap(w -> stand.stream().filter(s -> s.type().equals(w.type())))
                    .map(StatusWriter::text)
                    .toList());
    if (same) {
      return;
    }
    ObjectNode body = own.fresh();
    ArrayNode list = body.withObject("/status").putArray("conditions");
    for (Condition one : wanted) {
      list.addObject()
          .put("type", one.type())
          .put("status", one.status().word())
          .put("reason", one.reason())
          .put("message", one.message())
          .put("lastTransitionTime", seconds(one.since()));
    }
    operator =
        api.apply(component.operatorPath() + "/status", component.name() + "-Encryption", body);
  }

  /// Why nothing can be looked at or decided; absent where all is well.
  void complaint(Optional<String> problem, Instant now) {
    ObjectNode body = own.fresh();
    body.withObject("/status")
        .putArray("conditions")
        .addObject()
        .put("type", "EncryptionControllerDegraded")
        .put("status", problem.isPresent() ? "True" : "False")
        .put("reason", problem.isPresent() ? "Error" : "AsExpected")
        .put("message", bounded(problem.orElse("")))
        .put("lastTransitionTime", seconds(now));
    operator =
        api.apply(
            component.operatorPath() + "/status", component.name() + "-EncryptionController", body);
  }

  /// How far migrations are. An apply of what this operator alone says.
  void migrations(Collection<MigrationRecord> records) {
    ArrayNode list = Api.JSON.createArrayNode();
    records.forEach(record -> list.add(entry(record)));
    JsonNode stands = now().at("/encryptionStatus/migrations");
    if (stands.isMissingNode() ? list.isEmpty() : list.equals(StatusWriter::texts, stands)) {
      return;
    }
    ObjectNode body = own.fresh();
    if (!list.isEmpty()) {
      own.part(body).withObject("/encryptionStatus").set("migrations", list);
    }
    operator =
        api.apply(
            component.operatorPath() + "/status", component.name() + "-EncryptionMigration", body);
  }

  /// Numbers that were read are of another width than those that are to be written.
  private static int texts(JsonNode one, JsonNode other) {
    return one.asText().compareTo(other.asText());
  }

  private static ObjectNode entry(MigrationRecord record) {
    ObjectNode one = Api.JSON.createObjectNode();
    one.put("resource", record.status().resource().canonical());
    one.put("writeKey", record.status().target().writeKey());
    MigrationProgress progress = record.progress();
    if (!progress.equals(MigrationProgress.UNKNOWN)) {
      one.put("done", progress.done()).put("total", progress.total());
      one.put("perSecond", Math.round(progress.perSecond()));
    }
    switch (record.status().state()) {
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

  private static String text(Condition one) {
    return one.type()
        + " "
        + one.status()
        + " "
        + one.reason()
        + " "
        + one.message()
        + " "
        + seconds(one.since());
  }
}
