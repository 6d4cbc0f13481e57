package io.keyward.kube.component;

import io.keyward.codec.status.StatusBody;
import io.keyward.core.model.Resource;
import io.keyward.engine.SiteId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// One kind of API server of a cluster, and where its objects are.
///
/// @param cluster the name of a hosted cluster; empty for the cluster that the operator runs in
/// @param name as in names of secrets, for example `openshift-kube-apiserver`
/// @param namespace where its revisions lie
/// @param operatorResource plural of the resource with its status, for example `kubeapiservers`
/// @param workload how its instances are run
/// @param nodes names of its nodes; empty means the nodes with the role control-plane
/// @param deployment a Deployment of its namespace whose pods are instances too, or the only ones
public record Component(
    String cluster,
    String name,
    String namespace,
    String operatorResource,
    Workload workload,
    SortedSet<Resource> resources,
    SortedSet<String> nodes,
    Optional<String> deployment) {
  public static final String CONTROL_PLANE_LABEL = "node-role.kubernetes.io/control-plane";
  public static final String POD_KEY = "pod.yaml";
  public static final String REVISION_PREFIX = "encryption-config-";

  public Component {
    resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
  }

  /// Of the cluster that the operator runs in.
  public Component(
      String name,
      String namespace,
      String operatorResource,
      Workload workload,
      SortedSet<Resource> resources,
      SortedSet<String> nodes,
      Optional<String> deployment) {
    this("", name, namespace, operatorResource, workload, resources, nodes, deployment);
  }

  /// With one kind of workload. A Deployment bears the name of the API server.
  public Component(
      String name,
      String namespace,
      String operatorResource,
      Workload workload,
      SortedSet<Resource> resources,
      SortedSet<String> nodes) {
    this(
        name,
        namespace,
        operatorResource,
        workload,
        resources,
        nodes,
        workload == Workload.DEPLOYMENT ? Optional.of(name) : Optional.empty());
  }

  /// The same API server of a hosted cluster.
  public Component ofCluster(String hosted) {
    return new Component(
        hosted, name, namespace, operatorResource, workload, resources, nodes, deployment);
  }

  /// Names it among all sites of the operator.
  public SiteId site() {
    return new SiteId(cluster, name);
  }

  /// Whether node agents bring its revisions to nodes.
  public boolean isOnNodes() {
    return workload != Workload.DEPLOYMENT;
  }

  public String pods() {
    return "/api/v1/namespaces/" + namespace + "/pods";
  }

  public String deploymentPath(String name) {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments/" + name;
  }

  /// The member of `status` that holds what is known of it; empty where it is `status` itself.
  public String statusMember() {
    return operatorResource.equals("authentications") ? "oauthAPIServer" : "";
  }

  /// How its status is read and written.
  public StatusBody status() {
    return new StatusBody(api().group() + "/" + api().version(), kind(), statusMember());
  }

  public String kind() {
    return switch (operatorResource) {
      case "openshiftapiservers" -> "OpenShiftAPIServer";
      case "authentications" -> "Authentication";
      case ClusterApi.CLUSTER_ENCRYPTIONS -> "ClusterEncryption";
      default -> "KubeAPIServer";
    };
  }

  public String operatorPath() {
    return "/apis/" + api().group() + "/" + api().version() + "/" + operatorResource + "/cluster";
  }

  /// The resources that hold the administrator's request and the state of this API server.
  public ClusterApi api() {
    return ClusterApi.of(operatorResource);
  }

  /// Where keys, configurations and the records of migrations are.
  public String managed() {
    return "/api/v1/namespaces/" + api().managedNamespace();
  }

  /// The namespace of the accounts and the lease.
  public String home() {
    return api() == ClusterApi.KEYWARD ? api().managedNamespace() : namespace;
  }

  public String secrets() {
    return "/api/v1/namespaces/" + namespace + "/secrets";
  }

  public String configMaps() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  public String revision(long number) {
    return REVISION_PREFIX + number;
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

  /// Where the pods of a preflight run.
  public String preflightPods() {
    return "/api/v1/namespaces/" + home() + "/pods";
  }

  public String preflight() {
    return "encryption-preflight-" + name;
  }
}
