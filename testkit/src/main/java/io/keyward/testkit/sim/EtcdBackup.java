package io.keyward.testkit.sim;

import io.keyward.core.model.AuditProof;
import io.keyward.core.model.Condition;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.PreflightState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A snapshot of the objects that etcd holds for one API server: key secrets, the configuration,
/// revisions, statuses, migrations and stored values. Files and processes of nodes are not part of
/// it, nor is the admin's request.
///
/// @param version resource versions of the configuration and the status
/// @param targets the revision that the status names for each node
record EtcdBackup(
    Map<KeySerial, Server.Secret> secrets,
    @Nullable EncryptionLayout published,
    boolean isPutBack,
    Versions version,
    Map<Integer, Server.Revision> revisions,
    TreeSet<Long> taken,
    Server.@Nullable Unfinished unfinished,
    Map<String, Integer> targets,
    Map<Resource, Server.Migration> migrations,
    Map<String, HealthReport> reports,
    Map<Resource, List<Value>> values,
    PreflightState preflight,
    @Nullable KmsKey tried,
    @Nullable AuditProof audit,
    List<Condition> conditions) {

  record Versions(int published, int status) {}

  static EtcdBackup of(Server server) {
    var targets = new HashMap<String, Integer>();
    server.instances.forEach(instance -> targets.put(instance.node, instance.target));
    var values = new HashMap<Resource, List<Value>>();
    server.etcd.forEach((resource, stored) -> values.put(resource, List.of(stored)));
    return new EtcdBackup(
        new TreeMap<>(server.secrets),
        server.published,
        server.isPutBack,
        new Versions(server.publishedVersion, server.statusVersion),
        new TreeMap<>(server.revisions),
        new TreeSet<>(server.taken),
        server.unfinished,
        targets,
        new TreeMap<>(server.migrations),
        new TreeMap<>(server.reports),
        values,
        server.preflight,
        server.tried,
        server.audit,
        server.conditions);
  }

  /// Resource versions continue to grow, as after a restore with a bumped revision.
  void restore(Server server) {
    replace(server.secrets, secrets);
    replace(server.revisions, revisions);
    replace(server.migrations, migrations);
    replace(server.reports, reports);
    server.taken.clear();
    server.taken.addAll(taken);
    server.unfinished = unfinished;
    server.published = published;
    server.isPutBack = isPutBack;
    server.publishedVersion = version.published();
    server.statusVersion = version.status();
    server.preflight = preflight;
    server.tried = tried;
    server.audit = audit;
    server.conditions = conditions;
    server.instances.forEach(
        instance -> instance.target = targets.getOrDefault(instance.node, instance.target));
    values.forEach((resource, stored) -> server.etcd.put(resource, stored.toArray(new Value[0])));
    server.etcdVersion++;
    server.isRestored = true;
  }

  private static <K, V> void replace(Map<K, V> now, Map<K, V> before) {
    now.clear();
    now.putAll(before);
  }
}
