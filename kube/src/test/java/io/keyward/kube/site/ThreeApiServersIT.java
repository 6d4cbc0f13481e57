package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.WireNames;
import io.keyward.codec.object.Labels;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.engine.Engine;
import io.keyward.engine.Rhythm;
import io.keyward.engine.SiteId;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.revision.RevisionObjects;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.SharedControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One operator for the three API servers of OpenShift, on a real API server: each has its own
/// keys, revisions and conditions, and two that are broken do not hold up the third.
///
/// The first one has instances on a node and of a Deployment, and at first no manifest. Routes and
/// tokens are custom resources here, and no instance runs: [FakeInstances] plays them.
public final class ThreeApiServersIT {
  private static final String MANAGED = "/api/v1/namespaces/openshift-config-managed/secrets";
  private static final Component KUBE =
      component(Workload.STATIC_POD, "openshift-kube-apiserver", "kubeapiservers", "limitranges");
  private static final Component OPENSHIFT =
      component(
          Workload.DEPLOYMENT,
          "openshift-apiserver",
          "openshiftapiservers",
          "routes.route.openshift.io");
  private static final Component OAUTH =
      component(
          Workload.DEPLOYMENT,
          "openshift-oauth-apiserver",
          "authentications",
          "oauthaccesstokens.oauth.openshift.io",
          "oauthauthorizetokens.oauth.openshift.io");
  private static final List<Component> ALL = List.of(KUBE, OPENSHIFT, OAUTH);

  private final List<AutoCloseable> open = new ArrayList<>();
  private Api api;

  private static Component component(
      Workload workload, String name, String operator, String... resources) {
    var all = new TreeSet<Resource>();
    List.of(resources).forEach(one -> all.add(Resource.parse(one)));
    return new Component(
        name, name, operator, workload, all, new TreeSet<>(List.of("a")), Optional.of("apiserver"));
  }

  @BeforeEach
  void start(@TempDir Path temporary) {
    ControlPlane plane = SharedControlPlane.cleared();
    api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    open.add(api);
    new Installer(api).install(ALL, Migrator.Kind.OURS);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void eachHasItsOwnAndNoneHoldsUpAnother() throws IOException {
    define("route.openshift.io", "Route", "routes");
    define("oauth.openshift.io", "OAuthAccessToken", "oauthaccesstokens");
    define("oauth.openshift.io", "OAuthAuthorizeToken", "oauthauthorizetokens");
    for (Component one : ALL) {
      api.create(
          "/apis/apps/v1/namespaces/" + one.namespace() + "/deployments", deployment(one.name()));
    }
    open.add(new FakeInstances(api, ALL));

    // One has nowhere to write what is so, another a configuration that nobody can read.
    JsonNode missing = api.get(OPENSHIFT.operatorPath()).orElseThrow();
    api.delete(OPENSHIFT.operatorPath(), missing);
    ObjectNode damaged = secret("encryption-config-" + OAUTH.name());
    damaged.putObject("data").put("encryption-config", "ew==");
    JsonNode unreadable = api.create(MANAGED, damaged);
    operate();
    want("aescbc");
    await(
        () -> conditions(KUBE).contains("is missing: it defines how the API server is started"),
        KUBE);
    ObjectNode pod = secret(KUBE.podConfigMap()).put("kind", "ConfigMap");
    pod.putObject("data").put("pod.yaml", manifest());
    api.create(KUBE.configMaps(), pod);
    awaitEncrypted(KUBE);
    assertThat(conditions(KUBE)).doesNotContain("is missing");
    assertThat(events(KUBE))
        .contains(
            "EncryptionKeyCreated: Secret \"encryption-key-openshift-kube-apiserver-1\""
                + " successfully created: [\"limitranges-key-does-not-exist\"]",
            "EncryptionResourceAdded: Resource \"limitranges\" was added to encryption config"
                + " without write key",
            "EncryptionKeyPromoted: Promoting key \"1\" for resource \"limitranges\" to write key");
    assertThat(api.get(MANAGED + "/encryption-key-openshift-apiserver-1")).isEmpty();
    await(() -> conditions(OAUTH).contains("correct it, or delete it"), OAUTH);

    // What is broken is put right, and goes on by itself.
    ObjectNode again = Api.JSON.createObjectNode();
    again.put("apiVersion", "operator.openshift.io/v1").put("kind", "OpenShiftAPIServer");
    again.putObject("metadata").put("name", "cluster");
    again.putObject("spec");
    api.create("/apis/operator.openshift.io/v1/openshiftapiservers", again);
    api.delete(MANAGED + "/encryption-config-" + OAUTH.name(), unreadable);
    ALL.forEach(this::awaitEncrypted);

    var keys = new TreeSet<String>();
    for (Component one : ALL) {
      keys.add(
          api.get(MANAGED + "/encryption-key-" + one.name() + "-1")
              .orElseThrow()
              .path("data")
              .toString());
      long latest = latest(one);
      assertThat(latest).as(one.name()).isGreaterThanOrEqualTo(2);
      JsonNode template =
          api.get(one.deploymentPath("apiserver")).orElseThrow().at("/spec/template");
      assertThat(template.at("/metadata/labels/revision").asLong()).isEqualTo(latest);
      assertThat(template.at("/spec/volumes/0/secret/secretName").asText())
          .isEqualTo("encryption-config-" + latest);
      assertThat(template.at("/spec/containers/0/args/0").asText())
          .isEqualTo(
              "--encryption-provider-config=/var/run/secrets/encryption-config/encryption-config");
      String config =
          new String(
              api.get(one.secrets() + "/encryption-config-" + latest)
                  .orElseThrow()
                  .at("/data/encryption-config")
                  .binaryValue(),
              StandardCharsets.UTF_8);
      one.resources().forEach(resource -> assertThat(config).contains(resource.canonical()));
    }
    assertThat(keys).hasSize(3);
    JsonNode node = api.get(KUBE.operatorPath()).orElseThrow().path("status");
    assertThat(node.at("/nodeStatuses/0/targetRevision"))
        .isEqualTo(node.path("latestAvailableRevision"));
    anotherKeyIsAskedFor(OPENSHIFT);
    awaitMigrated(OPENSHIFT, "routes");
    theStatusComesFromABackup(KUBE);
    somethingHasTheNameOfTheNextRevision(KUBE);
  }

  /// Of the same kind, for a reason that only the admin knows.
  private void anotherKeyIsAskedFor(Component one) {
    ObjectNode ask = Api.JSON.createObjectNode();
    ask.withObject("/spec/unsupportedConfigOverrides/encryption").put("reason", "a leak");
    api.mergePatch(one.operatorPath(), ask);
  }

  /// Revisions and instances are further than it says, and no number may mean something else.
  private void theStatusComesFromABackup(Component one) {
    long before = latest(one);
    JsonNode revision = api.get(one.secrets() + "/" + one.revision(before)).orElseThrow();
    ObjectNode old = Api.JSON.createObjectNode();
    old.putObject("status").put("latestAvailableRevision", 0);
    api.mergePatch(one.operatorPath() + "/status", old);
    await(() -> latest(one) == before + 1 && isEverywhere(one, before + 1), one);
    assertThat(api.get(one.secrets() + "/" + one.revision(before))).contains((ObjectNode) revision);
    // Nor by somebody who lost the lead after deciding on it.
    assertThatThrownBy(() -> new RevisionObjects(api, one).begin(before))
        .isInstanceOf(Conflict.class)
        .hasMessageContaining("revision " + before);
  }

  private boolean isEverywhere(Component one, long revision) {
    JsonNode template = api.get(one.deploymentPath("apiserver")).orElseThrow().at("/spec/template");
    return api.get(one.operatorPath())
                .orElseThrow()
                .at("/status/nodeStatuses/0/currentRevision")
                .asLong()
            == revision
        && template.at("/metadata/labels/revision").asLong() == revision;
  }

  private void somethingHasTheNameOfTheNextRevision(Component one) {
    long before = latest(one);
    ObjectNode stranger = secret(one.revision(before + 1));
    stranger.putObject("data").put("mine", "ew==");
    JsonNode made = api.create(one.secrets(), stranger);
    anotherKeyIsAskedFor(one);
    await(
        () ->
            conditions(one)
                .contains(
                    "Secret "
                        + one.namespace()
                        + "/"
                        + one.revision(before + 1)
                        + " was not created by Keyward"),
        one);
    assertThat(api.get(one.secrets() + "/" + one.revision(before + 1))).contains((ObjectNode) made);
    assertThat(latest(one)).isEqualTo(before);
    api.delete(one.secrets() + "/" + one.revision(before + 1), made);
    awaitMigrated(one, "limitranges");
    await(() -> !conditions(one).contains("was not created by Keyward"), one);
  }

  private long latest(Component one) {
    return one.status().read(api.get(one.operatorPath()).orElseThrow()).latest();
  }

  private void awaitMigrated(Component one, String resource) {
    String key = MANAGED + "/encryption-key-" + one.name() + "-2";
    await(
        () ->
            api.get(key)
                .filter(secret ->
                    secret
                        .at("/metadata/annotations")
                        .path(WireNames.MIGRATED_RESOURCES)
                        .asText()
                        .contains(resource))
                .isPresent(),
        one);
  }

  private void operate() {
    InstantSource clock = InstantSource.system();
    var engine = new Engine(TurnObserver.NOBODY, Rhythm.DEFAULT);
    Consumer<Component> wake = one -> engine.wake(SiteId.of(one.name()));
    var migrator = Migrator.of(Migrator.Kind.OURS, api, clock, wake);
    open.add(migrator);
    open.add(engine);
    var watches = new Watches(api, ALL, Migrator.Kind.OURS, wake::accept);
    open.add(watches);
    for (Component one : ALL) {
      engine.add(
          new KubeSite(
                  api,
                  one,
                  Settings.DEFAULT,
                  clock,
                  migrator,
                  FeatureGates.DEFAULT,
                  KubeSite.Access.ACTS)
              .withCaches(watches));
    }
  }

  private void want(String type) {
    ObjectNode patch = Api.JSON.createObjectNode();
    patch.putObject("spec").putObject("encryption").put("type", type);
    api.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", patch);
  }

  private void awaitEncrypted(Component one) {
    await(() -> conditions(one).contains("\"Encrypted\",\"status\":\"True\""), one);
  }

  private void await(BooleanSupplier wanted, Component one) {
    assertThat(Waiting.until(wanted, Duration.ofSeconds(90))).as(conditions(one)).isTrue();
  }

  private String conditions(Component one) {
    var text = new StringBuilder();
    api.get(one.operatorPath())
        .ifPresent(found -> {
          for (JsonNode condition : found.at("/status/conditions")) {
            text.append('"').append(condition.path("type").asText());
            text.append("\",\"status\":\"").append(condition.path("status").asText());
            text.append("\" ").append(condition.path("message").asText()).append('\n');
          }
        });
    return text.toString();
  }

  private List<String> events(Component one) {
    return api.list("/api/v1/namespaces/" + one.namespace() + "/events", Labels.ANY).stream()
        .map(event -> event.path("reason").asText() + ": " + event.path("message").asText())
        .toList();
  }

  private static String manifest() {
    return """
    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"kube-apiserver"},
     "spec":{"containers":[{"name":"kube-apiserver","command":["kube-apiserver"]}]}}
    """;
  }

  private static ObjectNode secret(String name) {
    ObjectNode json = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    json.putObject("metadata").put("name", name);
    return json;
  }

  private static ObjectNode deployment(String container) throws IOException {
    return (ObjectNode)
        Api.JSON.readTree(
            """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"apiserver"},
             "spec":{"replicas":1,"selector":{"matchLabels":{"apiserver":"true"}},
              "template":{"metadata":{"labels":{"apiserver":"true"}},
               "spec":{"containers":[{"name":"%s","image":"x","args":[]}]}}}}
            """
                .formatted(container));
  }

  /// A resource with one object, so that there is something to migrate.
  private void define(String group, String kind, String plural) throws IOException {
    ObjectNode crd =
        (ObjectNode)
            Api.JSON.readTree(
                """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                 "metadata":{"name":"%1$s.%2$s"},
                 "spec":{"group":"%2$s","scope":"Cluster","names":{"plural":"%1$s","kind":"%3$s"},
                  "versions":[{"name":"v1","served":true,"storage":true,
                   "schema":{"openAPIV3Schema":{"type":"object"}}}]}}
                """
                    .formatted(plural, group, kind));
    api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
    String path = "/apis/" + group + "/v1/" + plural;
    assertThat(Waiting.until(() -> api.get(path).isPresent(), Duration.ofSeconds(30))).isTrue();
    ObjectNode one = Api.JSON.createObjectNode().put("apiVersion", group + "/v1").put("kind", kind);
    one.putObject("metadata").put("name", "one");
    api.create(path, one);
  }
}
