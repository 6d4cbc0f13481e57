package io.keyward.node.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.node.agent.FakeNode;
import io.keyward.node.agent.NodeAgent;
import io.keyward.node.agent.NodeSettings;
import io.keyward.node.agent.OperatedCluster;
import io.keyward.node.plugin.PluginObserver;
import io.keyward.node.plugin.PluginTiming;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.SharedControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real API servers, agents and operators in a cluster that was encrypted before Keyward came:
/// nothing is changed, and a condition says why.
public final class ExistingEncryptionIT {
  private static final String KEY =
      Base64.getEncoder().encodeToString("a key of 32 bytes of a customer!".getBytes(UTF_8));
  private static final String EXISTING =
      CommandHostTest.configuration("aescbc: {keys: [{name: mine, secret: " + KEY + "}]}");
  private static final String REFUSAL =
      "has an encryption configuration that Keyward did not create: aescbc for secrets in ";
  private static final String ADOPTION =
      "Keyward does not support adopting an existing encryption configuration yet";

  @TempDir Path home;

  private static Component component(Workload workload, String... nodes) {
    return new Component(
        "kube-apiserver",
        "kube-system",
        "kubeapiservers",
        workload,
        new TreeSet<>(List.of(new Resource("", "limitranges"))),
        new TreeSet<>(List.of(nodes)));
  }

  private static Thread agent(Api cluster, Api local, Component component, HostKind place) {
    var settings =
        new NodeSettings(
            "a",
            place,
            Duration.ofMinutes(5),
            new PluginTiming(Duration.ofSeconds(10), Duration.ofSeconds(30)));
    var agent = new NodeAgent(cluster, local, component, settings, PluginObserver.NOBODY);
    return Thread.ofVirtual()
        .start(() -> {
          try {
            agent.run();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void assertUntouched(OperatedCluster cluster) {
    assertThat(cluster.stored()).as("no key and no configuration").isEmpty();
    assertThat(cluster.latest()).isZero();
    assertThat(cluster.resource().toString()).doesNotContain(KEY).doesNotContain("mine");
  }

  @Test
  void theFileOfARestartCommandIsNotReplaced() throws Exception {
    Component component = component(Workload.RESTART_COMMAND, "a", "b");
    try (var plane = ControlPlane.builder(home.resolve("plane")).create()) {
      plane.buildPrograms();
      plane.apiServer(0).writeEncryptionConfig(EXISTING);
      plane.start();
      Path file = plane.apiServer(0).encryptionConfigFile();
      Path restarted = home.resolve("restarted");
      Files.createDirectories(home.resolve("b"));
      try (var admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
          var cluster = new OperatedCluster(admin, component);
          var b = new FakeNode(admin, plane.kubeconfig(0), component, "b", home, "true")) {
        Thread a =
            agent(
                admin,
                admin,
                component,
                new HostKind.Command(file, List.of("touch", restarted.toString())));
        cluster.encrypt("aescbc");
        cluster.awaitCondition(
            "EncryptionKeyControllerDegraded",
            "True Error ExistingEncryption: node a " + REFUSAL + file,
            ADOPTION);
        cluster.awaitCondition("EncryptionWaiting", "True ExistingEncryption", REFUSAL + file);
        cluster.awaitCondition("EncryptionUpgradeable", "Unknown NotYetKnown");
        cluster.awaitTurns();
        assertUntouched(cluster);
        assertThat(file).hasContent(EXISTING);
        assertThat(restarted).doesNotExist();
        assertThat(b.config()).doesNotExist();

        // An operator of an earlier release would set a target: the agent refuses by itself.
        ObjectNode body = new ObjectMapper().createObjectNode();
        body.put("apiVersion", "operator.openshift.io/v1").put("kind", "KubeAPIServer");
        body.putObject("metadata").put("name", "cluster");
        body.putObject("status")
            .putArray("nodeStatuses")
            .addObject()
            .put("nodeName", "a")
            .put("targetRevision", 1);
        admin.apply(component.operatorPath() + "/status", "an-earlier-release", body);
        cluster.await("refused", () -> cluster.node("a").path("lastFailedRevision").asLong() == 1);
        assertThat(cluster.node("a").path("lastFailedRevisionErrors").path(0).asText())
            .isEqualTo("the node " + REFUSAL + file);
        assertThat(file).hasContent(EXISTING);

        // The remedy.
        plane.apiServer(0).writeEncryptionConfig(CommandHostTest.IDENTITY);
        cluster.await("the first key", () -> cluster.stored().size() == 2);
        cluster.await("the revision", () -> Files.exists(restarted));
        a.interrupt();
        a.join();
      }
    }
  }

  @Test
  void theManifestOfAStaticPodIsNotReplaced() throws Exception {
    Component component = component(Workload.STATIC_POD, "a");
    Path root = home.resolve("root");
    Path manifest =
        Files.createDirectories(root.resolve("manifests")).resolve("kube-apiserver.yaml");
    Path file = Files.createDirectories(root.resolve("etc/kubernetes")).resolve("enc.yaml");
    String pod =
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"kube-apiserver"},"spec":{
         "containers":[{"name":"kube-apiserver","image":"x","command":["kube-apiserver",
           "--encryption-provider-config=/etc/kubernetes/enc.yaml"],
          "volumeMounts":[{"name":"k","mountPath":"/etc/kubernetes"}]}],
         "volumes":[{"name":"k","hostPath":{"path":"/etc/kubernetes"}}]}}
        """;
    Files.writeString(manifest, pod);
    Files.writeString(file, EXISTING);
    ControlPlane plane = SharedControlPlane.cleared();
    try (var admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
        var cluster = new OperatedCluster(admin, component)) {
      ObjectNode template = new ObjectMapper().createObjectNode();
      template.put("apiVersion", "v1").put("kind", "ConfigMap");
      template.putObject("metadata").put("name", component.podConfigMap());
      template.putObject("data").put(Component.POD_KEY, pod);
      admin.create(component.configMaps(), template);
      Thread a =
          agent(
              admin,
              admin,
              component,
              new HostKind.StaticPod(root, Path.of("/resources"), Path.of("/manifests")));
      cluster.encrypt("aescbc");
      cluster.awaitCondition(
          "EncryptionKeyControllerDegraded",
          "node a " + REFUSAL + "/etc/kubernetes/enc.yaml",
          ADOPTION);
      cluster.awaitTurns();
      assertUntouched(cluster);
      assertThat(manifest).hasContent(pod);
      assertThat(root.resolve("resources")).doesNotExist();
      assertThat(
              admin
                  .get(component.configMaps() + "/" + component.podConfigMap())
                  .orElseThrow()
                  .at("/data/pod.yaml")
                  .asText())
          .isEqualTo(pod);

      Files.writeString(file, CommandHostTest.IDENTITY);
      cluster.await("the first revision", () -> Files.exists(root.resolve("resources")));
      a.interrupt();
      a.join();
    }
  }

  /// The revision broke the node, so an administrator puts another file in its place and starts the
  /// API server with it.
  @Test
  void anotherFileInThePlaceOfARevisionDoesNotCountAsArrived() throws Exception {
    Component component = component(Workload.RESTART_COMMAND, "a", "b");
    Files.createDirectories(home.resolve("a"));
    Files.createDirectories(home.resolve("b"));
    ControlPlane plane = SharedControlPlane.cleared();
    try (var admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
        var cluster = new OperatedCluster(admin, component);
        var a = new FakeNode(admin, plane.kubeconfig(0), component, "a", home, "test -f repaired");
        var b = new FakeNode(admin, plane.kubeconfig(0), component, "b", home, "true")) {
      cluster.encrypt("aescbc");
      cluster.await("broken", () -> cluster.node("a").path("lastFailedRevision").asLong() == 1);

      cluster.awaitCondition("EncryptionUpgradeable", "Unknown NotYetKnown", "node a cannot run");

      Files.writeString(a.config(), EXISTING);
      Files.writeString(home.resolve("a-process/start"), "1767000500");
      cluster.await(
          "reported",
          () -> cluster.node("a").path("existingEncryption").asText().contains("aescbc"));
      cluster.awaitCondition("EncryptionWaiting", "ExistingEncryption", "node a " + REFUSAL);
      cluster.awaitTurns();
      assertThat(cluster.node("a").path("currentRevision").asLong()).isZero();
      assertThat(cluster.node("b").has("targetRevision")).isFalse();
      assertThat(b.config()).doesNotExist();
      assertThat(a.config()).hasContent(EXISTING);
    }
  }
}
