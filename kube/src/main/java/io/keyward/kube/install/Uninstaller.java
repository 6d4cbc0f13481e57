package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.pod.KubeadmYaml;
import io.keyward.codec.pod.PodPhase;
import io.keyward.core.prune.RemovalDecider;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Removes Keyward from a cluster of kubeadm whose data it no longer encrypts: first the operator,
/// then the configuration from one node after the other, then all objects.
public final class Uninstaller {
  private static final String HOME = ClusterApi.KEYWARD.managedNamespace();
  private static final String PODS = "/api/v1/namespaces/" + HOME + "/pods";
  private static final String APPS = "/apis/apps/v1/namespaces/" + HOME;
  private static final String OPERATOR = APPS + "/deployments/keyward-operator";
  private static final String COMPONENT = "app.kubernetes.io/component";

  /// An API server restarts meanwhile, with its grace period and the kubelet's back-off.
  private static final Duration NODE = Duration.ofMinutes(6);

  private static final Duration OBJECTS = Duration.ofMinutes(2);

  private final Api api;
  private final Installer installer;
  private final Consumer<String> log;

  /// An uninstaller that reports its steps.
  ///
  /// @param log receives one line for each step
  public Uninstaller(Api api, Consumer<String> log) {
    this.api = api;
    this.installer = new Installer(api);
    this.log = log;
  }

  /// Whether an earlier removal was interrupted after it had cleaned the nodes.
  public boolean isUnderway(Component component) {
    KubeadmYaml kubeadm =
        KubeadmYaml.parse(kubeadmText(kubeadm())).orElseThrow(ClusterFailure::new);
    return RemovalDecider.isUnderway(
        api.get(component.operatorPath()).isPresent(),
        !kubeadm.withoutKeyward().yaml().equals(kubeadm.yaml()),
        api.get(OPERATOR).isPresent());
  }

  private ObjectNode kubeadm() {
    return api.get(KubeadmYaml.PATH)
        .orElseThrow(() -> new ClusterFailure("ConfigMap kubeadm-config is missing"));
  }

  private static String kubeadmText(ObjectNode configMap) {
    return ObjectMeta.data(configMap, KubeadmYaml.KEY);
  }

  /// Removes everything, the key secrets included.
  ///
  /// @param image of Keyward, which removes the files of nodes
  public void uninstall(InstallPlan plan, Component component, String image) {
    delete(OPERATOR);
    delete(APPS + "/daemonsets/keyward-node-setup");
    await(
        "the operator and the node setup stop",
        OBJECTS,
        () -> pods("operator").isEmpty() && pods("node-setup").isEmpty());
    restoreKubeadm();
    for (ObjectNode node :
        api.list("/api/v1/nodes", Labels.exists(Component.CONTROL_PLANE_LABEL))) {
      remove(ObjectMeta.name(node), image);
    }
    finish(plan, component);
  }

  /// Deletes what is left once the nodes are clean.
  public void finish(InstallPlan plan, Component component) {
    for (String namespace : List.of(HOME, component.namespace())) {
      releaseSecrets("/api/v1/namespaces/" + namespace + "/secrets");
    }
    installer.uninstall(plan, log);
    for (String namespace : List.of(HOME, component.namespace())) {
      await(
          "namespace " + namespace + " disappears",
          OBJECTS,
          () -> api.get("/api/v1/namespaces/" + namespace).isEmpty());
    }
  }

  private List<ObjectNode> pods(String component) {
    return api.list(PODS, Labels.of(COMPONENT, component));
  }

  private void delete(String path) {
    installer.delete(path, log);
  }

  /// kubeadm must not add the arguments again.
  private void restoreKubeadm() {
    ObjectNode found = kubeadm();
    KubeadmYaml parsed = KubeadmYaml.parse(kubeadmText(found)).orElseThrow(ClusterFailure::new);
    String after = parsed.withoutKeyward().yaml();
    if (!after.equals(parsed.yaml())) {
      found.withObject("/data").put(KubeadmYaml.KEY, after);
      api.replace(KubeadmYaml.PATH, found);
      log.accept("configmap/kubeadm-config configured");
    }
  }

  private void remove(String node, String image) {
    ObjectNode pod =
        Templates.read("node-remove.yaml", Map.of("node", node, "image", image)).getFirst();
    String path = ObjectPath.of(pod);
    delete(path);
    await("an earlier pod on " + node + " disappears", OBJECTS, () -> api.get(path).isEmpty());
    api.create(PODS, pod);
    log.accept("node/" + node + " removing the encryption configuration");
    await(
        "the API server of " + node + " restarts without Keyward",
        NODE,
        () -> {
          Optional<PodPhase> phase = api.get(path).map(PodPhase::of);
          if (phase.filter(one -> one == PodPhase.FAILED).isPresent()) {
            throw new ClusterFailure(
                "cannot remove Keyward from "
                    + node
                    + "; the log of pod "
                    + ObjectMeta.name(pod)
                    + " in "
                    + HOME
                    + " says why",
                500);
          }
          return phase.filter(one -> one == PodPhase.SUCCEEDED).isPresent();
        });
    log.accept("node/" + node + " cleaned");
  }

  /// Keys are protected by a finalizer that only the operator removes.
  private void releaseSecrets(String all) {
    for (ObjectNode secret : api.list(all, Labels.ANY)) {
      if (ObjectMeta.hasFinalizers(secret)) {
        api.replace(all + "/" + ObjectMeta.name(secret), ObjectMeta.withoutFinalizers(secret));
      }
    }
  }

  /// API servers restart meanwhile, so some requests find none.
  private static void await(String what, Duration limit, BooleanSupplier done) {
    long end = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < end) {
      try {
        if (done.getAsBoolean()) {
          return;
        }
      } catch (ClusterFailure e) {
        if (e.status() != 0) {
          throw e;
        }
      }
      UntilAnswered.pause();
    }
    throw new ClusterFailure("timed out while waiting until " + what);
  }
}
