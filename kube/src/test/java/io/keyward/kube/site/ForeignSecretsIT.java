package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.WireNames;
import io.keyward.core.act.Act;
import io.keyward.core.key.KeyDecision.Mint;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import io.keyward.core.prune.PruneDecision.Delete;
import io.keyward.engine.Outcome;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.migrate.Migrator;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.SharedControlPlane;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Secrets of others under names of ours, on a real API server.
public final class ForeignSecretsIT {
  private static final String MANAGED = "/api/v1/namespaces/openshift-config-managed/secrets";
  private static final String KEY = MANAGED + "/encryption-key-kube-apiserver-1";
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(new Resource("", "limitranges"))),
          new TreeSet<>(List.of("a")));

  @Test
  void areLeftAloneAndNamed(@TempDir Path temporary) {
    InstantSource clock = InstantSource.system();
    ControlPlane plane = SharedControlPlane.cleared();
    try (var api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
        var migrator = Migrator.of(Migrator.Kind.OURS, api, clock, _ -> {})) {
      new Installer(api).install(List.of(COMPONENT), Migrator.Kind.OURS);
      var site =
          new KubeSite(
              api,
              COMPONENT,
              Settings.DEFAULT,
              clock,
              migrator,
              FeatureGates.DEFAULT,
              KubeSite.Access.ACTS);
      aConfigurationOfOthers(api, site);
      aKeyThatLostItsLabel(api, site);
      aKeyThatChangedBeforeTheNextIsMinted(api, site);
      aKeyThatWasDeletedBeforeItLeavesTheConfiguration(api, site);
      aFinalizerOfOthers(api, site);
    }
  }

  private static void aConfigurationOfOthers(Api api, KubeSite site) {
    ObjectNode stranger = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    stranger.putObject("metadata").put("name", "encryption-config-kube-apiserver");
    stranger.putObject("data").put("mine", "ew==");
    JsonNode made = api.create(MANAGED, stranger);
    assertThat(failure(site.observe().apply(new Act.PublishLayout(EncryptionLayout.EMPTY))))
        .contains("openshift-config-managed/encryption-config-kube-apiserver")
        .contains("rename or delete it");
    assertThat(api.get(MANAGED + "/encryption-config-kube-apiserver")).contains((ObjectNode) made);
    api.delete(MANAGED + "/encryption-config-kube-apiserver", made);
    assertThat(site.observe().apply(new Act.PublishLayout(EncryptionLayout.EMPTY)))
        .isEqualTo(new Outcome.Done());
    assertThat(site.observe().apply(new Act.PublishLayout(EncryptionLayout.EMPTY)))
        .isEqualTo(new Outcome.Done());
  }

  private static void aKeyThatLostItsLabel(Api api, KubeSite site) {
    var mint = new Mint(new KeySerial(1), Mode.AESCBC, Optional.empty(), "test", "");
    assertThat(site.observe().apply(new Act.MintKey(mint))).isEqualTo(new Outcome.Done());
    Key key = site.observe().state().stored().secrets().getFirst();
    label(api, Optional.empty());
    assertThat(failure(site.observe().apply(new Act.PutKey(key))))
        .contains("openshift-config-managed/encryption-key-kube-apiserver-1")
        .contains("add the label if it holds that key");
    label(api, Optional.of("kube-apiserver"));
    assertThat(site.observe().apply(new Act.PutKey(key))).isEqualTo(new Outcome.Done());
  }

  /// Its marks may be gone, and then no other key may follow it.
  private static void aKeyThatChangedBeforeTheNextIsMinted(Api api, KubeSite site) {
    var mint = new Mint(new KeySerial(2), Mode.AESCBC, Optional.empty(), "test", "");
    var seen = site.observe();
    ObjectNode patch = Api.JSON.createObjectNode();
    patch.withObject("/metadata").putObject("annotations").put("example.com/touched", "yes");
    api.mergePatch(KEY, patch);
    assertThat(seen.apply(new Act.MintKey(mint))).isInstanceOf(Outcome.Conflict.class);
    assertThat(api.get(MANAGED + "/encryption-key-kube-apiserver-2")).isEmpty();

    // The status is written in between.
    var before = site.observe();
    api.mergePatch("/apis/operator.openshift.io/v1/kubeapiservers/cluster", patch);
    assertThat(before.apply(new Act.MintKey(mint))).isInstanceOf(Outcome.Conflict.class);
    assertThat(api.get(MANAGED + "/encryption-key-kube-apiserver-2")).isEmpty();
  }

  /// The configuration would be its last copy.
  private static void aKeyThatWasDeletedBeforeItLeavesTheConfiguration(Api api, KubeSite site) {
    Key key = site.observe().state().stored().secrets().getFirst();
    var stack = new KeyStack(Optional.empty(), List.of(new KeyStack.Slot(key, "")));
    var stacks = new TreeMap<Resource, KeyStack>();
    stacks.put(new Resource("", "limitranges"), stack);
    assertThat(site.observe().apply(new Act.PublishLayout(new EncryptionLayout(stacks))))
        .isEqualTo(new Outcome.Done());
    var seen = site.observe();
    ObjectNode secret = api.get(KEY).orElseThrow();
    ObjectNode bare = secret.deepCopy();
    bare.withObject("/metadata").putArray("finalizers");
    api.delete(KEY, api.replace(KEY, bare));
    assertThat(seen.apply(new Act.PublishLayout(EncryptionLayout.EMPTY)))
        .isInstanceOf(Outcome.Conflict.class);
    assertThat(site.observe().apply(new Act.PutKey(key))).isEqualTo(new Outcome.Done());
    assertThat(site.observe().apply(new Act.PublishLayout(EncryptionLayout.EMPTY)))
        .isEqualTo(new Outcome.Done());
  }

  private static String failure(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed) outcome).problem();
  }

  private static void label(Api api, Optional<String> value) {
    ObjectNode patch = Api.JSON.createObjectNode();
    patch
        .withObject("/metadata")
        .withObject("labels")
        .put(WireNames.COMPONENT_LABEL, value.orElse(null));
    api.mergePatch(KEY, patch);
  }

  private static void aFinalizerOfOthers(Api api, KubeSite site) {
    ObjectNode patch = Api.JSON.createObjectNode();
    patch
        .withObject("/metadata")
        .putArray("finalizers")
        .add(WireNames.FINALIZER)
        .add("example.com/backup");
    api.mergePatch(KEY, patch);
    var delete = new Delete(new TreeSet<>(List.of(new KeySerial(1))), List.of());
    assertThat(site.observe().apply(new Act.PruneKeys(delete))).isEqualTo(new Outcome.Done());
    assertThat(api.get(KEY).orElseThrow().at("/metadata/finalizers").toString())
        .isEqualTo("[\"example.com/backup\"]");
    assertThat(failure(site.observe().apply(new Act.PruneKeys(delete))))
        .contains("[example.com/backup]");
    ObjectNode free = Api.JSON.createObjectNode();
    free.withObject("/metadata").putArray("finalizers");
    api.mergePatch(KEY, free);
    assertThat(api.get(KEY)).isEmpty();
  }
}
