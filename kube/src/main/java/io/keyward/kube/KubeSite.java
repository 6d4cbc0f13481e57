package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.KeySecretCodec;
import io.keyward.codec.Wire;
import io.keyward.core.model.Activity;
import io.keyward.core.model.Bytes;
import io.keyward.core.model.DamagedSecret;
import io.keyward.core.model.Key;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.operator.Conflict;
import io.keyward.operator.Site;
import io.keyward.operator.SiteSnapshot;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// One API server of a real cluster, whose instances are nodes with agents, pods of a Deployment,
/// or both.
///
/// Everything is read live: key secrets, the configuration, revisions, nodes, pods, migrations.
public final class KubeSite implements Site {
  static final String MANAGED = "/api/v1/namespaces/" + Wire.MANAGED_NAMESPACE;
  private static final String SALT = "keyward-fingerprint-salt";
  static final String CONTROL_PLANE_LABEL = "node-role.kubernetes.io/control-plane";
  private static final String CONTROL_PLANE =
      "/api/v1/nodes?labelSelector=" + CONTROL_PLANE_LABEL.replace("/", "%2F");

  private final Api api;
  private final Component component;
  private final Settings settings;
  private final InstantSource clock;
  private final Sightings sightings = new Sightings();
  private final Migrator migrator;
  private final FeatureGates gates;
  private final Access access;

  /// What was last said; nothing yet, so that what an earlier operator said is taken back.
  private Optional<Optional<String>> complained = Optional.empty();

  private String warned = "";

  /// Whether a look may make what it misses.
  public enum Access {
    ACTS,
    READS_ONLY
  }

  public KubeSite(
      Api api,
      Component component,
      Settings settings,
      InstantSource clock,
      Migrator migrator,
      FeatureGates gates,
      Access access) {
    this.api = api;
    this.component = component;
    this.settings = settings;
    this.clock = clock;
    this.migrator = migrator;
    this.gates = gates;
    this.access = access;
  }

  @Override
  public String component() {
    return component.name();
  }

  /// What there is, for people. Writes nothing where the access is so.
  public SiteView view() {
    return snapshot().view();
  }

  /// The condition that says why there is no turn. Written only where it changes. Where it cannot
  /// be written, for example because the right to do so is what is missing, an event says it.
  @Override
  public void complain(Optional<String> problem) {
    warned = problem.isEmpty() ? "" : warned;
    if (!complained.equals(Optional.of(problem))) {
      try {
        new StatusWriter(api, component, Api.JSON.createObjectNode())
            .complaint(problem, clock.instant());
        complained = Optional.of(problem);
      } catch (ClusterFailure | Conflict e) {
        boolean isSilent = e instanceof ClusterFailure failure && failure.status() == 0;
        problem.filter(words -> !isSilent && !words.equals(warned)).ifPresent(this::warn);
        throw e;
      }
    }
  }

  private void warn(String words) {
    new Events(api, component, clock).warn("EncryptionControllerDegraded", words);
    warned = words;
  }

  @Override
  public SiteSnapshot observe() {
    return snapshot();
  }

  private KubeSnapshot snapshot() {
    api.get("/version")
        .flatMap(ServerVersion::problem)
        .ifPresent(problem -> {
          throw new ClusterFailure(problem);
        });
    ObjectNode operator = operatorResource();
    JsonNode status = new StatusBody(component).read(operator);
    var apiServer = api.get("/apis/config.openshift.io/v1/apiservers/cluster");
    var secrets = new HashMap<String, ObjectNode>();
    var keys = new ArrayList<Key>();
    var damaged = new ArrayList<DamagedSecret>();
    for (ObjectNode secret :
        api.list(MANAGED + "/secrets", Wire.COMPONENT_LABEL, component.name())) {
      String name = secret.at("/metadata/name").asText();
      secrets.put(name, secret);
      switch (KeySecretCodec.decode(SecretJson.read(secret))) {
        case Decoded.Good<Key>(var key) -> keys.add(key);
        case Decoded.Bad<Key>(var problem) ->
            damaged.add(new DamagedSecret(name, KeySecretCodec.serial(name), problem));
      }
    }
    var published = api.get(MANAGED + "/secrets/" + Wire.configSecretName(component.name()));
    ControlPlaneNodes found = nodes();
    SortedSet<String> nodes = found.names();
    long latest = status.path("latestAvailableRevision").asLong(0);
    var parts = RevisionParts.read(api, component, latest, found.silent());
    var migrations = migrator.look(component);
    var running = new TreeMap<Resource, MigrationStatus>();
    migrations.forEach((resource, one) -> running.put(resource, one.status()));
    var preflight =
        api.get(component.configMaps() + "/" + component.preflight())
            .filter(PreflightRecord::isOurs);
    var reports = StatusReader.reports(status, sightings, clock.instant());
    var state =
        new ObservedState(
            clock.instant(),
            component.name(),
            WantedReader.read(apiServer, operator, component, gates, salt()),
            new Stored(keys, damaged, published.flatMap(RolloutReader::layout)),
            new RolloutReader(api, component, latest, parts, published).read(status, nodes),
            new Activity(
                running,
                StatusReader.preflight(status, PreflightRecord.run(preflight, nodes)),
                reports.read(),
                Optional.empty()),
            StatusReader.conditions(operator),
            settings,
            new TreeSet<>(found.silent().keySet()),
            new RevisionReader(api, component, parts).read(status, nodes, published));
    return new KubeSnapshot(
        api,
        component,
        clock,
        state,
        new KubeSnapshot.Seen(
            operator,
            secrets,
            published,
            parts,
            nodes,
            migrations,
            preflight,
            reports.unreadable()),
        migrator);
  }

  private ObjectNode operatorResource() {
    return api.get(component.operatorPath())
        .orElseThrow(() ->
            new ClusterFailure(
                component.kind() + " cluster is missing; keyward operator install makes it", 404));
  }

  private ControlPlaneNodes nodes() {
    return component.nodes().isEmpty()
        ? ControlPlaneNodes.of(api.list(CONTROL_PLANE))
        : ControlPlaneNodes.named(component.nodes());
  }

  private Bytes salt() {
    String path = MANAGED + "/secrets/" + SALT;
    ObjectNode secret =
        api.get(path)
            .orElseGet(() -> {
              var random = new byte[32];
              new SecureRandom().nextBytes(random);
              ObjectNode fresh = Api.JSON.createObjectNode();
              fresh.put("apiVersion", "v1").put("kind", "Secret");
              fresh.putObject("metadata").put("name", SALT);
              fresh.putObject("data").put("salt", Base64.getEncoder().encodeToString(random));
              // Without it nothing was tried yet, so whoever only reads may take any.
              return access == Access.ACTS ? api.create(MANAGED + "/secrets", fresh) : fresh;
            });
    Bytes salt = SecretJson.read(secret).data().get("salt");
    if (salt == null || salt.size() < 16) {
      throw new ClusterFailure(
          "secret " + SALT + " has no salt of at least 16 bytes; delete it and it is made anew", 0);
    }
    return salt;
  }
}
