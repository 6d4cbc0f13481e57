package io.keyward.kube.component;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Times;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.codec.status.StatusBody;
import io.keyward.core.health.HealthDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.Conflict;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Writes the status of the operator's resource. A merge is conditional on the resource that was
/// seen; an apply owns what it sends. Nothing is written that is there already.
public final class StatusWriter {
  private static final int LONGEST_DETAIL = 1024;

  private final Api api;
  private final Component component;
  private final StatusBody bodies;
  private ObjectNode operator;

  public StatusWriter(Api api, Component component, ObjectNode operator) {
    this.api = api;
    this.component = component;
    this.bodies = component.status();
    this.operator = operator;
  }

  public static String bounded(String text) {
    return text.length() > LONGEST_DETAIL ? text.substring(0, LONGEST_DETAIL) : text;
  }

  public OperatorStatus now() {
    return bodies.read(operator);
  }

  /// Reports of nodes and targets are what was observed, or written here since.
  ///
  /// @throws Conflict if the resource was modified
  public void requireUnchanged() {
    Optional<String> now = api.get(component.operatorPath()).map(ObjectMeta::version);
    if (!now.equals(Optional.of(ObjectMeta.version(operator)))) {
      throw new Conflict(component.kind() + " cluster");
    }
  }

  private void merge(ObjectNode body) {
    operator = api.mergePatch(component.operatorPath() + "/status", body);
  }

  private void apply(String manager, ObjectNode body) {
    operator =
        api.apply(component.operatorPath() + "/status", component.name() + "-" + manager, body);
  }

  public void preflight(PreflightState state) {
    merge(bodies.preflight(operator, state));
  }

  public void latest(long revision) {
    merge(bodies.latest(operator, revision));
  }

  public void target(String node, long revision, List<Revisions.Node> nodes) {
    var targets = new TreeMap<String, Long>();
    nodes.stream()
        .filter(one -> one.target() > 0)
        .forEach(one -> targets.put(one.name(), one.target()));
    targets.put(node, revision);
    apply("EncryptionRollout", bodies.targets(operator, targets));
  }

  public void ask(List<RemovedNode> nodes, Instant now) {
    merge(bodies.asked(operator, nodes, now));
  }

  public void forgetNodes(List<String> gone) {
    merge(bodies.without(operator, gone));
  }

  public void forget(List<HealthDecision.Orphan> orphans) {
    merge(bodies.withoutReports(operator, orphans));
  }

  /// Whether these conditions are set already.
  public boolean shows(List<Condition> wanted, List<Condition> stand) {
    return wanted.stream()
        .map(StatusWriter::text)
        .toList()
        .equals(
            wanted.stream()
                .flatMap(w -> stand.stream().filter(s -> s.type().equals(w.type())))
                .map(StatusWriter::text)
                .toList());
  }

  /// Writes conditions, where they differ from those that stand.
  ///
  /// @param writeKey encrypts new data; empty where none does
  public void conditions(List<Condition> wanted, List<Condition> stand, String writeKey) {
    if (!shows(wanted, stand) || !showsWriteKey(writeKey)) {
      apply("Encryption", bodies.conditions(wanted, writeKey));
    }
  }

  public boolean showsWriteKey(String writeKey) {
    return bodies.showsWriteKey(operator, writeKey);
  }

  /// Why nothing can be observed or decided; absent where nothing is wrong.
  public void complaint(Optional<String> problem, Instant now) {
    apply(
        "EncryptionController",
        bodies.conditions(
            List.of(
                new Condition(
                    "EncryptionControllerDegraded",
                    problem.isPresent() ? Condition.Status.TRUE : Condition.Status.FALSE,
                    problem.isPresent() ? "Error" : "AsExpected",
                    bounded(problem.orElse("")),
                    now))));
  }

  /// Whether the status shows how far migrations are.
  public boolean showsMigrations(Collection<MigrationRecord> records) {
    return bodies.showsMigrations(operator, entries(records));
  }

  public void migrations(Collection<MigrationRecord> records) {
    if (!showsMigrations(records)) {
      apply("EncryptionMigration", bodies.migrations(entries(records)));
    }
  }

  private static ArrayNode entries(Collection<MigrationRecord> records) {
    ArrayNode list = Api.JSON.createArrayNode();
    records.forEach(record -> list.add(record.entry()));
    return list;
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
        + Times.seconds(one.since());
  }
}
