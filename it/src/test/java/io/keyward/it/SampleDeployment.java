package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import java.util.List;

/// The aggregated sample-apiserver as a Deployment of two pods. It stores flunders in the etcd of
/// the cluster.
final class SampleDeployment {
  static final int OBJECTS = 20;

  private static final String PREFIX = "/wardle/wardle.example.com/flunders/default/s-";

  private final KubeadmCluster cluster;
  private final ServerBinaries binaries;

  SampleDeployment(KubeadmCluster cluster, ServerBinaries binaries) {
    this.cluster = cluster;
    this.binaries = binaries;
  }

  /// With its objects. Nodes see the files of this machine, so the pods run the program of the
  /// testbed.
  void start() {
    String program = binaries.ensure(ServerBinary.SAMPLE_APISERVER).getParent().toString();
    apply(SERVER.replace("PROGRAM", program));
    cluster.kubectl(
        "rollout", "status", "-n", "wardle", "deployment/sample-apiserver", "--timeout=3m");
    assertThat(KubeadmAdmin.awaited(() -> read().isEmpty(), KubeadmAdmin.LIMIT)).isTrue();
    var flunders = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      flunders.append(
          """
          ---
          apiVersion: wardle.example.com/v1alpha1
          kind: Flunder
          metadata: {name: s-%d, namespace: default}
          spec: {reference: tell nobody %d}
          """
              .formatted(i, i));
    }
    apply(flunders.toString());
  }

  /// The names of the objects, through the API.
  List<String> read() {
    return cluster
        .kubectl("get", "flunders", "-o", "name")
        .lines()
        .filter(name -> name.contains("/s-"))
        .toList();
  }

  long stored(String prefix) {
    return KubeadmAdmin.stored(cluster, PREFIX, value -> value.startsWith(prefix));
  }

  /// How many stored values name a key of the KMS.
  long holding(String keyId) {
    return KubeadmAdmin.stored(cluster, PREFIX, value -> value.contains(keyId));
  }

  /// To those that run. The controller gives up soon.
  void limitPods() {
    deadline(20);
    apply(QUOTA);
  }

  void liftTheLimit() {
    deadline(600);
    cluster.kubectl("delete", "quota", "-n", "wardle", "no-more");
  }

  private void deadline(int seconds) {
    cluster.kubectl(
        "patch",
        "deployment",
        "sample-apiserver",
        "-n",
        "wardle",
        "-p",
        "{\"spec\":{\"progressDeadlineSeconds\":" + seconds + "}}");
  }

  /// At once, as if its node were lost.
  void loseAPod() {
    String pod =
        cluster.kubectl("get", "pods", "-n", "wardle", "-o", "name").lines().toList().getFirst();
    cluster.kubectl("delete", "-n", "wardle", pod, "--force", "--grace-period=0");
  }

  private void apply(String objects) {
    KubeadmNode node = cluster.nodes().getFirst();
    node.write("/root-of-the-test/objects.yaml", objects);
    node.run("kubectl", "apply", "-f", "/root-of-the-test/objects.yaml");
  }

  private static final String QUOTA =
      """
      apiVersion: v1
      kind: ResourceQuota
      metadata: {name: no-more, namespace: wardle}
      spec: {hard: {pods: "2"}}
      """;

  private static final String SERVER =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: wardle}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: wardle}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
      subjects: [{kind: ServiceAccount, name: default, namespace: wardle}]
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: sample-apiserver, namespace: wardle}
      spec:
        replicas: 2
        strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
        selector: {matchLabels: {app: sample-apiserver}}
        template:
          metadata: {labels: {app: sample-apiserver}}
          spec:
            # It waits for clients that watch.
            terminationGracePeriodSeconds: 8
            containers:
            - name: sample-apiserver
              image: localhost/busybox:1
              command:
              - /opt/sample/sample-apiserver
              - --etcd-servers=https://10.213.0.10:2379
              - --etcd-cafile=/etc/etcd/ca.crt
              - --etcd-certfile=/etc/etcd/healthcheck-client.crt
              - --etcd-keyfile=/etc/etcd/healthcheck-client.key
              - --etcd-prefix=/wardle
              - --secure-port=8443
              - --cert-dir=/certs
              readinessProbe: {httpGet: {path: /readyz, port: 8443, scheme: HTTPS}, periodSeconds: 2}
              lifecycle: {preStop: {sleep: {seconds: 2}}}
              volumeMounts:
              - {name: program, mountPath: /opt/sample, readOnly: true}
              - {name: etcd, mountPath: /etc/etcd, readOnly: true}
              - {name: certs, mountPath: /certs}
            volumes:
            - {name: program, hostPath: {path: "PROGRAM"}}
            - {name: etcd, hostPath: {path: /etc/kubernetes/pki/etcd}}
            - {name: certs, emptyDir: {}}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: api, namespace: wardle}
      spec: {selector: {app: sample-apiserver}, ports: [{port: 443, targetPort: 8443}]}
      ---
      apiVersion: apiregistration.k8s.io/v1
      kind: APIService
      metadata: {name: v1alpha1.wardle.example.com}
      spec:
        group: wardle.example.com
        version: v1alpha1
        groupPriorityMinimum: 1000
        versionPriority: 15
        insecureSkipTLSVerify: true
        service: {name: api, namespace: wardle}
      """;
}
