package io.keyward.operator;

import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.pod.KubeadmYaml;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.InstallPlan;
import java.nio.file.Path;
import java.util.Optional;

/// The configuration that an administrator's command uses: a file, or the one that is installed in
/// the cluster, or the one that fits the cluster.
///
/// @param text the configuration as a file
public record ClusterConfig(String text, OperatorConfig config) {
  private static final String INSTALLED =
      "/api/v1/namespaces/"
          + ClusterApi.KEYWARD.managedNamespace()
          + "/configmaps/"
          + InstallPlan.CONFIG_MAP;
  private static final String OPENSHIFT = "/apis/operator.openshift.io/v1/kubeapiservers";

  private static ClusterConfig of(String text) {
    return of(text, "");
  }

  /// @param image of Keyward; empty where it is not known
  private static ClusterConfig of(String text, String image) {
    return new ClusterConfig(text, OperatorConfigReader.parse(text).withImage(image));
  }

  /// For kube-apiservers that run like this, requested with ClusterEncryption.
  public static ClusterConfig of(Workload workload) {
    return of(
        """
        apiServers:
          - component: kube-apiserver
            operatorResource: clusterencryptions
            workload: %s
        """
            .formatted(workload.word()));
  }

  /// Reads a file.
  ///
  /// @throws ConfigFailure if it cannot be read or has a problem
  public static ClusterConfig read(Path file) {
    return of(OperatorConfigReader.text(file));
  }

  /// The one that is installed in a cluster, or the one that fits it.
  ///
  /// @throws ClusterFailure if the cluster cannot be read
  public static ClusterConfig find(ClusterAccess access) {
    try (var api = Api.connect(access, Optional.empty())) {
      return find(api);
    }
  }

  /// The one that is installed in a cluster, or the one that fits it.
  static ClusterConfig find(Api api) {
    return api.get(INSTALLED)
        .filter(found -> !ObjectMeta.data(found, InstallPlan.CONFIG_KEY).isBlank())
        .map(found ->
            of(
                ObjectMeta.data(found, InstallPlan.CONFIG_KEY),
                ObjectMeta.data(found, InstallPlan.IMAGE_KEY)))
        .orElseGet(() -> detect(api));
  }

  /// The resources of OpenShift are used where the cluster has them.
  private static ClusterConfig detect(Api api) {
    if (api.get(OPENSHIFT).isPresent()) {
      return of("apiServers: [{operatorResource: kubeapiservers}]\n");
    }
    return of(api.get(KubeadmYaml.PATH).isPresent() ? Workload.KUBEADM : Workload.RESTART_COMMAND);
  }
}
