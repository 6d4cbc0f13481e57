package io.keyward.kube.component;

/// The resources through which an administrator requests encryption and reads its state. The
/// resources of OpenShift are used where the cluster has them; a plain Kubernetes cluster has
/// Keyward's own.
public enum ClusterApi {
  OPENSHIFT("operator.openshift.io", "v1", "openshift-config-managed", "openshift-config"),
  KEYWARD("keyward.io", "v1alpha1", "keyward-system", "keyward-system");

  /// Plural of the resource that holds both request and state on plain Kubernetes.
  public static final String CLUSTER_ENCRYPTIONS = "clusterencryptions";

  private static final String OPENSHIFT_REQUEST = "/apis/config.openshift.io/v1/apiservers/cluster";

  private final String group;
  private final String version;
  private final String managedNamespace;
  private final String referenceNamespace;

  ClusterApi(String group, String version, String managedNamespace, String referenceNamespace) {
    this.group = group;
    this.version = version;
    this.managedNamespace = managedNamespace;
    this.referenceNamespace = referenceNamespace;
  }

  /// The API that has this resource.
  static ClusterApi of(String operatorResource) {
    return operatorResource.equals(CLUSTER_ENCRYPTIONS) ? KEYWARD : OPENSHIFT;
  }

  /// Of the resource that holds the state.
  public String group() {
    return group;
  }

  public String version() {
    return version;
  }

  /// Holds keys, configurations and the records of migrations.
  public String managedNamespace() {
    return managedNamespace;
  }

  /// Holds the objects that a KMS configuration refers to.
  public String referenceNamespace() {
    return referenceNamespace;
  }

  /// The object in which an administrator requests encryption.
  public String requestPath() {
    return switch (this) {
      case OPENSHIFT -> OPENSHIFT_REQUEST;
      case KEYWARD -> "/apis/" + group + "/" + version + "/" + CLUSTER_ENCRYPTIONS + "/cluster";
    };
  }

  /// The same object, as messages name it.
  public String requestName() {
    return switch (this) {
      case OPENSHIFT -> "APIServer cluster";
      case KEYWARD -> "ClusterEncryption cluster";
    };
  }
}
