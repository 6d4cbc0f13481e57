package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.act.Act;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.preflight.PreflightCandidate;
import io.keyward.engine.Outcome;
import io.keyward.engine.SiteSnapshot;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.leader.Leadership;
import io.keyward.kube.migrate.Migrator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two API servers of one cluster do the same things for the same resource at the same time.
public final class TwoSitesTest {
  private static final Resource SECRETS = new Resource("", "secrets");
  private static final Component KUBE =
      component("kube-apiserver", "kube-system", "kubeapiservers");
  private static final Component OPENSHIFT =
      component("openshift-apiserver", "openshift-apiserver", "openshiftapiservers");

  /// The salt belongs to the cluster: one request of the administrator has one fingerprint.
  private static final String SALT =
      "/api/v1/namespaces/openshift-config-managed/secrets/keyward-fingerprint-salt";

  @TempDir private Path directory;

  private static Component component(String name, String namespace, String resource) {
    return new Component(
        name,
        namespace,
        resource,
        Workload.STATIC_POD,
        new TreeSet<>(List.of(SECRETS)),
        new TreeSet<>(List.of("node-1")));
  }

  private static Key key() {
    return new Key(
        KeySerial.FIRST,
        Mode.AESCBC,
        KeyMaterial.copyOf(new byte[32]),
        true,
        Optional.empty(),
        Migrated.NOTHING,
        "",
        "");
  }

  /// Of a plugin that a user runs.
  private static Key kmsKey() {
    var kms =
        new KmsKey(
            new KmsEndpoint("v2", "unix:///run/k.sock", "10s"),
            Optional.empty(),
            ReferenceData.NONE,
            ReferenceData.NONE);
    return Key.unbacked(KeySerial.FIRST, Mode.KMS, Key.NULL_MATERIAL, Optional.of(kms));
  }

  private static EncryptionLayout layout() {
    var stacks = new TreeMap<Resource, KeyStack>();
    stacks.put(
        SECRETS,
        new KeyStack(Optional.of(KeySerial.FIRST), List.of(new KeyStack.Slot(key(), "1"))));
    return new EncryptionLayout(stacks);
  }

  private static final Act MANIFEST =
      new Act.CompleteManifest(
          List.of(new ManifestNeed.Flag(), new ManifestNeed.Label(), new ManifestNeed.Resources()));

  private static final List<Act> ACTS =
      List.of(
          new Act.PutKey(key()),
          new Act.PublishLayout(layout()),
          new Act.CreateRevision(1),
          new Act.SetTarget("node-1", 1),
          new Act.RunPreflight(
              new PreflightCandidate(new Fingerprint("01234567"), kmsKey(), EncryptionLayout.EMPTY),
              1),
          new Act.StartMigration(
              new MigrationDecision.Start(
                  SECRETS, new MigrationTarget("1", Optional.empty()), "node-1@1", 1)),
          new Act.Announce("EncryptionKeyCreated", "key 1"));

  private Set<String> writes(FakeCluster cluster, Component component, Migrator.Kind kind) {
    int before = cluster.writes().size();
    InstantSource clock = InstantSource.system();
    try (var migrator = Migrator.of(kind, cluster.api(), clock, _ -> {})) {
      var site =
          new KubeSite(
              cluster.api(),
              component,
              Settings.DEFAULT,
              clock,
              migrator,
              FeatureGates.DEFAULT,
              KubeSite.Access.ACTS);
      assertThat(site.observe().apply(MANIFEST)).isInstanceOf(Outcome.Done.class);
      SiteSnapshot snapshot = site.observe();
      assertThat(snapshot.state().activity().migrations()).isEmpty();
      assertThat(ACTS)
          .allSatisfy(act -> assertThat(snapshot.apply(act)).isInstanceOf(Outcome.Done.class));
    }
    List<String> all = cluster.writes();
    return new TreeSet<>(all.subList(before, all.size()));
  }

  private static void prepare(FakeCluster cluster, Component component) {
    cluster.put(component.operatorPath(), Api.JSON.createObjectNode());
    var pod = Api.JSON.createObjectNode();
    pod.putObject("metadata").put("name", component.podConfigMap());
    pod.putObject("data")
        .put(
            Component.POD_KEY,
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s}
            spec: {containers: [{name: %s, command: [%s]}]}
            """
                .formatted(component.name(), component.name(), component.name()));
    cluster.put(component.configMaps() + "/" + component.podConfigMap(), pod);
  }

  @ParameterizedTest
  @EnumSource(Migrator.Kind.class)
  void apiServersOfOneClusterShareNoObject(Migrator.Kind kind) throws IOException {
    try (var cluster = new FakeCluster(directory)) {
      prepare(cluster, KUBE);
      prepare(cluster, OPENSHIFT);
      Set<String> first = writes(cluster, KUBE, kind);
      Set<String> second = writes(cluster, OPENSHIFT, kind);
      assertThat(first).contains(SALT).hasSizeGreaterThan(ACTS.size());
      first.remove(SALT);
      assertThat(second).hasSameSizeAs(first).doesNotContainAnyElementsOf(first);
    }
  }

  @ParameterizedTest
  @EnumSource(Migrator.Kind.class)
  void eachSeesItsOwnMigrationOnly(Migrator.Kind kind) throws IOException {
    try (var cluster = new FakeCluster(directory)) {
      prepare(cluster, KUBE);
      prepare(cluster, OPENSHIFT);
      writes(cluster, KUBE, kind);
      writes(cluster, OPENSHIFT, kind);
      for (Component one : List.of(KUBE, OPENSHIFT)) {
        try (var migrator = Migrator.of(kind, cluster.api(), InstantSource.system(), _ -> {})) {
          assertThat(migrator.look(cluster.api(), one).values())
              .singleElement()
              .satisfies(found ->
                  assertThat(found.path())
                      .endsWith("/encryption-migration-core-secrets." + one.name()));
        }
      }
    }
  }

  @Test
  void operatorsOfTwoApiServersElectTheirLeadersApart() {
    assertThat(Leadership.path(KUBE.namespace()))
        .isNotEqualTo(Leadership.path(OPENSHIFT.namespace()));
  }

  @Test
  void theSameApiServerOfTwoHostedClustersIsTwoSites() {
    assertThat(List.of(KUBE, KUBE.ofCluster("prod-17"), KUBE.ofCluster("prod-18")))
        .extracting(Component::site)
        .doesNotHaveDuplicates();
  }
}
