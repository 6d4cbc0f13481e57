package io.keyward.kube;

import io.keyward.core.model.Resource;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// One kind of API server of the cluster, and where its objects are.
///
/// @param name as in names of secrets, for example `openshift-kube-apiserver`
/// @param namespace where its revisions lie
/// @param operatorResource plural of the resource with its status, for example `kubeapiservers`
/// @param workload how its instances are run
/// @param nodes names of its nodes; empty means the nodes with the role control-plane
public record Component(
    String name,
    String namespace,
    String operatorResource,
    Workload workload,
    SortedSet<Resource> resources,
    SortedSet<String> nodes) {
  public static final String POD_KEY = "pod.yaml";

  public Component {
    resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
  }

  /// The member of `status` that holds what is known of it; empty where it is `status` itself.
  public String statusMember() {
    return operatorResource.equals("authentications") ? "oauthAPIServer" : "";
  }

  public String kind() {
    return switch (operatorResource) {
      case "openshiftapiservers" -> "OpenShiftAPIServer";
      case "authentications" -> "Authentication";
      default -> "KubeAPIServer";
    };
  }

  public String operatorPath() {
    return "/apis/operator.openshift.io/v1/" + operatorResource + "/cluster";
  }

  public String secrets() {
    return "/api/v1/namespaces/" + namespace + "/secrets";
  }

  public String configMaps() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  public String revision(long number) {
    return "encryption-config-" + number;
  }

  /// Holds the manifest of its pods, in the key [#POD_KEY].
  public String podConfigMap() {
    return name + "-pod";
  }

  public String podRevision(long number) {
    return podConfigMap() + "-" + number;
  }

  /// Owns the parts of a revision, and says whether they are complete.
  public String revisionStatus(long number) {
    return "revision-status-" + number;
  }

  public String preflight() {
    return "encryption-preflight-" + name;
  }
}
