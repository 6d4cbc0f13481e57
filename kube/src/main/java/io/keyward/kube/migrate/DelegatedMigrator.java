package io.keyward.kube.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.migration.MigrationProgress;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.codec.migration.RequestedMigrationCodec;
import io.keyward.codec.object.Labels;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Discovery;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Asks a controller of the cluster for each migration, with a `StorageVersionMigration`, and reads
/// how it went from its conditions. Such a controller tells nobody how far it is.
public final class DelegatedMigrator implements Migrator {
  /// Which API the controller serves.
  public enum Target {
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

    public String group() {
      return api.substring(0, api.indexOf('/'));
    }

    public String version() {
      return api.substring(api.indexOf('/') + 1);
    }

    public String path() {
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
  public SortedMap<Resource, MigrationRecord> look(Reads reads, Component component) {
    var found = new TreeMap<Resource, MigrationRecord>();
    for (ObjectNode item : items(reads)) {
      RequestedMigrationCodec.read(
              item, target.path(), component.name(), component.resources(), clock.instant())
          .ifPresent(one -> found.merge(one.status().resource(), one, DelegatedMigrator::ours));
    }
    return found;
  }

  /// A system that Keyward replaced may have left a migration of the same resource.
  private static MigrationRecord ours(MigrationRecord one, MigrationRecord other) {
    return MigrationRecord.isLabelled(other.json()) ? other : one;
  }

  /// An API that is not served holds no migrations; whoever starts one learns why that fails.
  private List<ObjectNode> items(Reads reads) {
    try {
      return reads.list(target.path(), Labels.ANY);
    } catch (ClusterFailure e) {
      if (e.status() == 404) {
        return List.of();
      }
      throw e;
    }
  }

  @Override
  public void tend(Component component, SortedMap<Resource, MigrationRecord> records) {}

  @Override
  public void start(
      Component component, MigrationDecision.Start start, Optional<MigrationRecord> before) {
    before.ifPresent(old -> api.delete(old.path(), old.json()));
    ObjectNode json =
        RequestedMigrationCodec.start(
            target.api,
            component.name(),
            start,
            target.wantsVersion
                ? Optional.of(Discovery.version(api, start.resource()))
                : Optional.empty());
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
  public Map<Work, MigrationProgress> running() {
    return Map.of();
  }

  @Override
  public void rest() {}
}
