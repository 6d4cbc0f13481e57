package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.Distribution;
import io.keyward.testbed.Traffic;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An API server that is a Deployment, with the real Deployment controller, scheduler and kubelet,
/// while a client reads and writes: from plaintext to a local key, through a rollout that a quota
/// blocks and a pod that is lost, to a KMS and its rotation, and back.
final class KubeadmDeploymentIT {
  private static final String OPERATOR = "openshiftapiservers.operator.openshift.io/cluster";

  private static final String CONFIG =
      """
      apiServers:
        - component: sample-apiserver
          namespace: wardle
          operatorResource: openshiftapiservers
          workload: deployment
          resources: [flunders.wardle.example.com]
      settings:
        reportInterval: 5s
        # An API server asks a plugin again at most 20 s after its readiness was checked.
        kekSettles: 25s
      """;

  @Test
  void followsTheRealControllerOfADeployment(@TempDir Path temporary) throws IOException {
    KubeadmAdmin.requireContainers();
    ServerBinaries binaries = ServerBinaries.ofThisMachine();
    try (var cluster = KubeadmCluster.start(temporary.resolve("c"), 1, binaries, _ -> {})) {
      KubeadmAdmin.importImage(cluster.nodes().getFirst());
      var server = new SampleDeployment(cluster, binaries);
      server.start();
      cluster.writeCredentials(temporary);
      try (var traffic = Traffic.ofFlunders(KubeadmAdmin.client(cluster.address(), temporary));
          ServerProcess _ = startOperator(cluster, temporary)) {
        encryptsWithLocalKeys(cluster, server);
        movesToAKms(cluster, server, new KubeadmPlugin(temporary));
        request(cluster, "{\"type\":\"identity\",\"kms\":null}");
        await(() -> server.stored("k8s:enc:") == 0);
        awaitCondition(cluster, "Encrypted", "False");
        assertThat(traffic.isServedEverywhere(KubeadmAdmin.LIMIT)).isTrue();
        assertThat(traffic.failed()).isEmpty();
      }
      assertThat(server.read()).hasSize(SampleDeployment.OBJECTS);
    }
  }

  private static void encryptsWithLocalKeys(KubeadmCluster cluster, SampleDeployment server) {
    request(cluster, "{\"type\":\"aescbc\"}");
    await(() -> server.stored("k8s:enc:aescbc:v1:1:") == SampleDeployment.OBJECTS);
    awaitCondition(cluster, "Encrypted", "True");

    // The pod that an update adds exceeds the quota, so the controller gives up.
    server.limitPods();
    rotate(cluster);
    await(() ->
        told(cluster).contains("has started no pod with revision 3 yet; its controller gave up"));
    assertThat(server.stored("k8s:enc:aescbc:v1:1:")).isEqualTo(SampleDeployment.OBJECTS);
    server.liftTheLimit();
    server.loseAPod();
    await(() -> server.stored("k8s:enc:aescbc:v1:2:") == SampleDeployment.OBJECTS);
    awaitCondition(cluster, "Encrypted", "True");
  }

  private static void movesToAKms(
      KubeadmCluster cluster, SampleDeployment server, KubeadmPlugin plugin) {
    KubeadmNode node = cluster.nodes().getFirst();
    plugin.start(node);
    startAgent(cluster, node);
    request(cluster, KubeadmPlugin.REQUEST);
    await(() -> server.stored("k8s:enc:kms:v2:3_flunders:") == SampleDeployment.OBJECTS);
    String before = keyId(cluster);
    assertThat(server.holding(before)).isEqualTo(SampleDeployment.OBJECTS);
    plugin.rotate(List.of(node));
    await(() ->
        !keyId(cluster).equals(before)
            && server.holding(keyId(cluster)) == SampleDeployment.OBJECTS);
    assertThat(server.holding(before)).isZero();
    awaitCondition(cluster, "Encrypted", "True");
  }

  private static ServerProcess startOperator(KubeadmCluster cluster, Path directory)
      throws IOException {
    Path config = Files.writeString(directory.resolve("operator.yaml"), CONFIG);
    String kubeconfig = cluster.kubeconfig().toString();
    var keyward = new Distribution(Keyward.HOME);
    keyward.run("operator", "install", "--config", config + "", "--kubeconfig", kubeconfig);
    return ServerProcess.start(
        keyward.launch(
            "operator",
            directory.resolve("operator.log"),
            "operator",
            "--config",
            config.toString(),
            "--kubeconfig",
            kubeconfig));
  }

  /// It tests and monitors the plugin of its node for the pods of the Deployment.
  private static void startAgent(KubeadmCluster cluster, KubeadmNode node) {
    node.write("/etc/kubernetes/operator.yaml", CONFIG);
    node.write(
        "/etc/kubernetes/manifests/node-agent.yaml",
        AGENT.replace("VERSION", Artefacts.version()).replace("SERVER", cluster.endpoint()));
  }

  private static void await(BooleanSupplier question) {
    assertThat(KubeadmAdmin.awaited(question, KubeadmAdmin.LIMIT)).isTrue();
  }

  private static void awaitCondition(KubeadmCluster cluster, String type, String status) {
    String path = "jsonpath={.status.conditions[?(@.type==\"" + type + "\")].status}";
    await(() -> cluster.kubectl("get", OPERATOR, "-o", path).equals(status));
  }

  /// The messages of all conditions that are true.
  private static String told(KubeadmCluster cluster) {
    String path = "jsonpath={.status.conditions[?(@.status==\"True\")].message}";
    return cluster.kubectl("get", OPERATOR, "-o", path);
  }

  private static String keyId(KubeadmCluster cluster) {
    String path = "jsonpath={.status.encryptionStatus.healthReports[0].remoteKeyID}";
    return cluster.kubectl("get", OPERATOR, "-o", path);
  }

  private static void request(KubeadmCluster cluster, String encryption) {
    String patch = "{\"spec\":{\"encryption\":" + encryption + "}}";
    cluster.kubectl(
        "patch", "apiservers.config.openshift.io", "cluster", "--type=merge", "-p", patch);
  }

  private static void rotate(KubeadmCluster cluster) {
    String patch =
        "{\"spec\":{\"unsupportedConfigOverrides\":{\"encryption\":{\"reason\":\"x\"}}}}";
    cluster.kubectl("patch", OPERATOR, "--type=merge", "-p", patch);
  }

  private static final String AGENT =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: node-agent
        namespace: kube-system
      spec:
        hostNetwork: true
        priorityClassName: system-node-critical
        containers:
        - name: node-agent
          image: localhost/keyward:VERSION
          command: [/opt/keyward/runtime/bin/java, "@/opt/keyward/lib/node-agent.args"]
          args:
          - node-agent
          - --node=node0
          - --config=/etc/kubernetes/operator.yaml
          - --kubeconfig=/etc/kubernetes/admin.conf
          - --server=SERVER
          - --report-interval=5s
          securityContext:
            runAsUser: 0
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          volumeMounts:
          - {name: kubernetes, mountPath: /etc/kubernetes, readOnly: true}
          - {name: sockets, mountPath: /var/run/kmsplugin}
          - {name: tmp, mountPath: /tmp}
        volumes:
        - name: kubernetes
          hostPath: {path: /etc/kubernetes}
        - name: sockets
          hostPath: {path: /var/run/kmsplugin, type: DirectoryOrCreate}
        - name: tmp
          emptyDir: {}
      """;
}
