package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Resource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Asks a controller of the cluster for each migration, with a `StorageVersionMigration`, and reads
/// how it went from its conditions. Such a controller tells nobody how far it is.
final class DelegatedMigrator implements Migrator {
  /// Which API the controller serves.
  enum Target {
    /// Of kube-controller-manager. It finds the version of a resource by itself.
    IN_TREE(
        "storagemigration.k8s.io/v1beta1",
        "turn on the feature gate StorageVersionMigrator of kube-apiserver and"
            + " kube-controller-manager, and this API with --runtime-config",
        false),
    /// Of the kube-storage-version-migrator, which OpenShift ships.
    STORAGE_VERSION_MIGRATOR(
        "migration.k8s.io/v1alpha1", "install the kube-storage-version-migrator", true);

    private final String api;
    private final String remedy;
    private final boolean wantsVersion;

    Target(String api, String remedy, boolean wantsVersion) {
      this.api = api;
      this.remedy = remedy;
      this.wantsVersion = wantsVersion;
    }

    String group() {
      return api.substring(0, api.indexOf('/'));
    }

    String version() {
      return api.substring(api.indexOf('/') + 1);
    }

    private String path() {
      return "/apis/" + api + "/storageversionmigrations";
    }
  }

  private final Api api;
  private final Target target;
  private final InstantSource clock;

  DelegatedMigrator(Api api, Target target, InstantSource clock) {
    this.api = api;
    this.target = target;
    this.clock = clock;
  }

  @Override
  public SortedMap<Resource, MigrationRecord> look(Component component) {
    var found = new TreeMap<Resource, MigrationRecord>();
    for (JsonNode item : items()) {
      String name = item.at("/spec/resource/resource").asText("");
      if (MigrationRecord.belongsTo(component, item) && !name.isEmpty()) {
        var resource = new Resource(item.at("/spec/resource/group").asText(""), name);
        found.put(
            resource,
            MigrationRecord.read(
                (ObjectNode) item,
                target.path(),
                resource,
                state(item, clock.instant()),
                MigrationProgress.UNKNOWN));
      }
    }
    return found;
  }

  /// An API that is not served holds no migrations; whoever starts one learns why that fails.
  private JsonNode items() {
    return api.get(target.path())
        .map(list -> list.path("items"))
        .orElseGet(Api.JSON::createArrayNode);
  }

  /// A time to come was told by another clock. Nobody waits for it.
  static State state(JsonNode item, Instant now) {
    for (JsonNode one : item.at("/status/conditions")) {
      if (one.path("status").asText("").equals("True")) {
        Instant at =
            StatusReader.time(one.path("lastTransitionTime").asText(""))
                .or(() -> StatusReader.time(one.path("lastUpdateTime").asText("")))
                .filter(time -> !time.isAfter(now))
                .orElse(Instant.EPOCH);
        switch (one.path("type").asText("")) {
          case "Succeeded" -> {
            return new State.Succeeded(at);
          }
          case "Failed" -> {
            return new State.Failed(at, StatusWriter.bounded(one.path("message").asText("")));
          }
          default -> {}
        }
      }
    }
    return new State.Running();
  }

  @Override
  public void tend(Component component, SortedMap<Resource, MigrationRecord> records) {}

  @Override
  public void start(
      Component component, MigrationDecision.Start start, Optional<MigrationRecord> before) {
    before.ifPresent(old -> api.delete(old.path(), old.json()));
    ObjectNode json =
        MigrationRecord.begin(target.api, "StorageVersionMigration", component, start);
    ObjectNode resource = json.putObject("spec").putObject("resource");
    resource.put("group", start.resource().group()).put("resource", start.resource().name());
    if (target.wantsVersion) {
      resource.put("version", Discovery.version(api, start.resource()));
    }
    try {
      api.create(target.path(), json);
    } catch (ClusterFailure e) {
      if (e.status() == 404) {
        throw new ClusterFailure(
            "the cluster does not serve "
                + target.api
                + "; "
                + target.remedy
                + ", or let keyward migrate (migrator: keyward)",
            404);
      }
      throw e;
    }
  }

  @Override
  public Map<String, MigrationProgress> running() {
    return Map.of();
  }

  @Override
  public void rest() {}
}
