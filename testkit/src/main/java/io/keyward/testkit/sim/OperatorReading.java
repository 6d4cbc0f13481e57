package io.keyward.testkit.sim;

import io.keyward.core.model.Activity;
import io.keyward.core.model.AuditProof;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.Problem;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.DamagedSecret;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KeyReferences;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.PreflightState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What an operator read of one API server, object by object. Its writes are conditional on this;
/// what a write made takes the place of what was read, as in the real adapter.
final class OperatorReading {
  final String server;
  Map<KeySerial, Server.Secret> secrets;
  @Nullable EncryptionLayout published;
  int publishedVersion;

  /// Revisions and nodes.
  RolloutView.Status status;

  int statusVersion;

  /// Absent where there is no Deployment.
  PodSet.@Nullable Seen deployment;

  Map<String, HealthReport> reports;
  Map<Resource, Server.Migration> migrations;
  PreflightState preflight;
  List<Condition> conditions;
  Optional<AuditProof> audit;

  private OperatorReading(Server server, Kms kms) {
    this.server = server.name;
    this.secrets = new TreeMap<>(server.secrets);
    this.published = server.published;
    this.publishedVersion = server.publishedVersion;
    this.status = server.view.status(kms);
    this.statusVersion = server.statusVersion;
    this.deployment = server.pods == null ? null : server.pods.seen();
    this.reports = new TreeMap<>(server.reports);
    this.migrations = new TreeMap<>(server.migrations);
    this.preflight = server.preflight;
    this.conditions = server.conditions;
    this.audit = Optional.ofNullable(server.audit);
  }

  private OperatorReading(OperatorReading other) {
    this.server = other.server;
    this.secrets = new TreeMap<>(other.secrets);
    this.published = other.published;
    this.publishedVersion = other.publishedVersion;
    this.status = other.status;
    this.statusVersion = other.statusVersion;
    this.deployment = other.deployment;
    this.reports = new TreeMap<>(other.reports);
    this.migrations = new TreeMap<>(other.migrations);
    this.preflight = other.preflight;
    this.conditions = other.conditions;
    this.audit = other.audit;
  }

  static OperatorReading of(Server server, Kms kms) {
    return new OperatorReading(server, kms);
  }

  /// Secrets, pods, the configuration and the status are live; the rest comes through informers and
  /// is as old as it was in `before`.
  static OperatorReading lagging(Server server, Kms kms, OperatorReading before) {
    var mixed = new OperatorReading(server, kms);
    mixed.reports = new TreeMap<>(before.reports);
    mixed.migrations = new TreeMap<>(before.migrations);
    mixed.preflight = before.preflight;
    mixed.conditions = before.conditions;
    // That there are audits is known from the first one on.
    mixed.audit = before.audit.or(() -> mixed.audit);
    return mixed;
  }

  /// The same before any write of the turn.
  static OperatorReading copyOf(OperatorReading other) {
    return new OperatorReading(other);
  }

  /// Objects whose writes are conditional may be old as well, each by itself.
  ///
  /// @param which bit 1: key secrets; bit 2: the configuration; bit 4: revisions and nodes
  static OperatorReading stale(Server server, Kms kms, OperatorReading before, int which) {
    var mixed = new OperatorReading(server, kms);
    if ((which & 1) != 0) {
      mixed.secrets = new TreeMap<>(before.secrets);
    }
    if ((which & 2) != 0) {
      mixed.published = before.published;
      mixed.publishedVersion = before.publishedVersion;
    }
    // The pods of a platform are read live; the nodes of agents are part of the status.
    if ((which & 4) != 0 && server.managed && server.pods == null) {
      mixed.status = before.status;
      mixed.statusVersion = before.statusVersion;
    }
    return mixed;
  }

  /// @param spec with the credentials that the admin stored last
  Stored stored(Spec spec, Kms kms) {
    var keys = new ArrayList<Key>();
    var damaged = new ArrayList<DamagedSecret>();
    secrets.forEach((serial, secret) -> {
      if (secret.damaged()) {
        String where = "encryption-key-" + server + "-" + serial;
        damaged.add(
            new DamagedSecret(where, Optional.of(serial), new Problem(where, "has no mode")));
      } else {
        keys.add(secret.key());
      }
    });
    var references = new TreeMap<KeySerial, KeyReferences>();
    Stream.concat(
            keys.stream(), Stream.ofNullable(published).flatMap(layout -> layout.keys().stream()))
        .forEach(key ->
            key.kms()
                .filter(KmsKey::isManaged)
                .ifPresent(
                    own -> references.put(key.serial(), kms.references(own, spec.credentials))));
    return new Stored(keys, damaged, Optional.ofNullable(published), references);
  }

  Activity activity(List<HealthReport> completed) {
    var running = new TreeMap<Resource, MigrationStatus>();
    migrations.forEach((resource, migration) -> running.put(resource, migration.status()));
    return new Activity(running, preflight, completed, audit);
  }
}
