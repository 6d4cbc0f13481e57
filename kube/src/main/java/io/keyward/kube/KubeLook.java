package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.ConfigSecretCodec;
import io.keyward.codec.KeySecretCodec;
import io.keyward.codec.SecretObject;
import io.keyward.codec.Wire;
import io.keyward.core.health.HealthDecision;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Bytes;
import io.keyward.core.model.Condition;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.Migrated;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.Problem;
import io.keyward.core.model.Resource;
import io.keyward.core.prune.PruneDecision;
import io.keyward.operator.ChangedMeanwhile;
import io.keyward.operator.Look;
import io.keyward.operator.RolloutDecision;
import io.keyward.operator.RolloutView;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

/// The objects of one look. A write carries the version that was seen, and what it made replaces
/// what was seen, so that a second write of the same turn is not taken for a stranger's.
final class KubeLook implements Look {
  private static final String KEYS = KubeSite.MANAGED + "/secrets";

  private final Api api;
  private final Component component;
  private final InstantSource clock;
  private final ObservedState state;
  private final Seen seen;
  private final Migrator migrator;
  private final StatusWriter status;
  private final RevisionWriter revisions;
  private Optional<ObjectNode> published;

  record Seen(
      ObjectNode operator,
      Map<String, ObjectNode> secrets,
      Optional<ObjectNode> published,
      RevisionParts parts,
      SortedSet<String> nodes,
      SortedMap<Resource, MigrationRecord> migrations,
      Optional<ObjectNode> preflight,
      Optional<ObjectNode> apiServer,
      List<Problem> unreadable) {}

  KubeLook(
      Api api,
      Component component,
      InstantSource clock,
      ObservedState state,
      Seen seen,
      Migrator migrator) {
    this.api = api;
    this.component = component;
    this.clock = clock;
    this.state = state;
    this.seen = seen;
    this.migrator = migrator;
    this.status = new StatusWriter(api, component, seen.operator());
    this.revisions = new RevisionWriter(api, component, status, seen.parts(), seen.nodes(), state);
    this.published = seen.published();
  }

  @Override
  public ObservedState state() {
    return state;
  }

  SiteView view() {
    return SiteView.of(state, seen.secrets(), rollout(), seen.migrations().values());
  }

  @Override
  public boolean isManaged() {
    return switch (seen.operator().at("/spec/managementState").asText("")) {
      case "Unmanaged", "Removed" -> false;
      default -> true;
    };
  }

  @Override
  public void mint(KeyDecision.Mint mint) {
    // Whoever lost the lead must not mint a serial that another leader has used and lost.
    var now = api.get(KEYS + "/" + Wire.configSecretName(component.name()));
    if (!now.map(KubeLook::version).equals(published.map(KubeLook::version))) {
      throw new ChangedMeanwhile("the configuration");
    }
    Bytes material = Key.NULL_MATERIAL;
    if (mint.mode().isLocal()) {
      var random = new byte[32];
      new SecureRandom().nextBytes(random);
      material = Bytes.copyOf(random);
    }
    put(mint.key(material));
  }

  @Override
  public void put(Key key) {
    SecretObject wanted = KeySecretCodec.encode(component.name(), key);
    ObjectNode before = seen.secrets().get(wanted.name());
    ObjectNode after =
        before == null
            ? create(wanted)
            : api.replace(KEYS + "/" + wanted.name(), SecretJson.over(before, wanted));
    seen.secrets().put(wanted.name(), after);
  }

  /// A key is found by its label, so one without it would be missed and in the way for ever.
  private ObjectNode create(SecretObject key) {
    try {
      return api.create(KEYS, SecretJson.fresh(key, key.namespace(), key.name()));
    } catch (ChangedMeanwhile e) {
      api.get(KEYS + "/" + key.name())
          .flatMap(found -> ForeignSecret.key(SecretJson.read(found), component.name()))
          .ifPresent(words -> {
            throw new ClusterFailure(words);
          });
      throw e;
    }
  }

  @Override
  public void publish(EncryptionLayout layout) {
    SecretObject wanted = ConfigSecretCodec.encode(component.name(), layout);
    published
        .flatMap(found -> ForeignSecret.configuration(SecretJson.read(found)))
        .ifPresent(words -> {
          throw new ClusterFailure(words);
        });
    published =
        Optional.of(
            published.isEmpty()
                ? api.create(KEYS, SecretJson.fresh(wanted, wanted.namespace(), wanted.name()))
                : api.replace(
                    KEYS + "/" + wanted.name(), SecretJson.over(published.orElseThrow(), wanted)));
  }

  @Override
  public void tend() {
    migrator.tend(component, seen.migrations());
  }

  @Override
  public void rest() {
    migrator.tend(component, Collections.emptySortedMap());
  }

  @Override
  public void start(MigrationDecision.Start start) {
    migrator.start(component, start, Optional.ofNullable(seen.migrations().get(start.resource())));
    announce(
        "EncryptionMigrationStarted",
        start.resource()
            + " under key "
            + start.target()
            + (start.attempt() > 1 ? ", attempt " + start.attempt() : ""));
  }

  @Override
  public void abort(Resource resource) {
    MigrationRecord before = seen.migrations().get(resource);
    if (before != null) {
      api.delete(before.path(), before.json());
    }
  }

  @Override
  public void mark(MigrationDecision.Mark mark) {
    MigrationRecord proof = seen.migrations().get(mark.resource());
    boolean stands =
        proof != null
            && api.get(proof.path())
                .filter(now -> version(now).equals(version(proof.json())))
                .isPresent();
    if (!stands) {
      throw new ChangedMeanwhile("the migration of " + mark.resource());
    }
    change(mark.serial(), migrated -> mark.on(migrated, clock.instant()));
    announce(
        "EncryptionResourceMigrated",
        "All of " + mark.resource() + " is stored under key " + mark.serial());
  }

  @Override
  public void unmark(MigrationDecision.Unmark unmark) {
    change(unmark.serial(), unmark::on);
  }

  private void change(KeySerial serial, UnaryOperator<Migrated> change) {
    ObjectNode before = seen.secrets().get(Wire.keySecretName(component.name(), serial.value()));
    if (before == null
        || !(KeySecretCodec.decode(SecretJson.read(before))
            instanceof io.keyward.codec.Decoded.Good(Key key))) {
      throw new ChangedMeanwhile("key " + serial);
    }
    put(key.with(change.apply(key.migrated())));
  }

  @Override
  public void deployPreflight(Fingerprint config, int attempt) {
    String path = component.configMaps() + "/" + component.preflight();
    if (api.get(path).filter(found -> !PreflightRecord.isOurs(found)).isPresent()) {
      throw new ClusterFailure(
          "ConfigMap "
              + component.preflight()
              + " in "
              + component.namespace()
              + " is not of Keyward and is in the way of the preflight; delete or rename it");
    }
    status.preflight(preflight -> preflight.put("observedConfigHash", config.value()));
    ObjectNode ask = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
    ask.putObject("metadata")
        .put("name", component.preflight())
        .putObject("labels")
        .put(PreflightRecord.LABEL, component.name());
    String endpoint =
        state
            .wanted()
            .kms()
            .map(kms -> kms.plugin().spec().fields().getOrDefault("endpoint", ""))
            .orElse("");
    ask.putObject("data")
        .put(PreflightRecord.CONFIG, config.value())
        .put(PreflightRecord.ENDPOINT, endpoint)
        .put(PreflightRecord.ATTEMPT, Integer.toString(attempt))
        .put(PreflightRecord.STARTED, StatusWriter.seconds(clock.instant()));
    api.create(component.configMaps(), ask);
  }

  @Override
  public void cleanPreflight() {
    seen.preflight()
        .ifPresent(run -> {
          // Nodes may answer meanwhile, which changes nothing: the object itself is what counts.
          ObjectNode any = run.deepCopy();
          any.withObject("/metadata").remove("resourceVersion");
          api.delete(component.configMaps() + "/" + component.preflight(), any);
        });
  }

  @Override
  public void conclude(PreflightState.Result result) {
    status.preflight(preflight -> {
      preflight.put("observedConfigHash", result.config().value());
      ObjectNode json = Api.JSON.createObjectNode();
      json.put("status", result.succeeded() ? "Succeeded" : "Failed");
      json.put("configHash", result.config().value()).put("attempt", result.attempt());
      result.kek().ifPresent(kek -> json.put("remoteKeyID", kek.value()));
      result.at().ifPresent(at -> json.put("time", StatusWriter.seconds(at)));
      if (!result.detail().isEmpty()) {
        json.put("detail", StatusWriter.bounded(result.detail()));
      }
      preflight.set("result", json);
    });
  }

  @Override
  public void delete(PruneDecision.Delete delete) {
    var names = new ArrayList<>(delete.damaged());
    delete
        .serials()
        .forEach(serial -> names.add(Wire.keySecretName(component.name(), serial.value())));
    List<String> held = names.stream().flatMap(name -> remove(name).stream()).toList();
    if (!held.isEmpty()) {
      throw new ClusterFailure(String.join("; ", held));
    }
  }

  /// First our finalizer, then the secret; a crash in between is gone on with by the next turn.
  ///
  /// @return why it is still there after an earlier turn did so
  private Optional<String> remove(String name) {
    ObjectNode before = seen.secrets().get(name);
    if (before == null) {
      return Optional.empty();
    }
    SecretObject found = SecretJson.read(before);
    if (before.path("metadata").has("deletionTimestamp")
        && !found.finalizers().contains(Wire.FINALIZER)) {
      return ForeignSecret.held(found);
    }
    ObjectNode bare = before.deepCopy();
    ForeignSecret.foreignFinalizers(found)
        .forEach(bare.withObject("/metadata").putArray("finalizers")::add);
    api.delete(KEYS + "/" + name, api.replace(KEYS + "/" + name, bare));
    seen.secrets().remove(name);
    return Optional.empty();
  }

  @Override
  public void forget(List<HealthDecision.Orphan> orphans) {
    status.forget(orphans);
  }

  @Override
  public RolloutView rollout() {
    return revisions.view(published);
  }

  @Override
  public void carryOut(RolloutDecision decision) {
    revisions.carryOut(decision, published);
  }

  @Override
  public void report(List<Condition> conditions) {
    var all = new ArrayList<>(conditions);
    // The same under the name that watchers of user-managed plugins look for.
    conditions.stream()
        .filter(one -> one.type().equals("KMSPluginsDegraded"))
        .map(one -> PluginWords.of(one, state, seen.unreadable()))
        .forEach(all::add);
    status.conditions(all, state.conditions());
    status.migrations(seen.migrations().values());
  }

  @Override
  public void announce(String reason, String message) {
    new Events(api, component, clock).tell(reason, message);
  }

  static String version(JsonNode json) {
    return json.at("/metadata/resourceVersion").asText();
  }
}
