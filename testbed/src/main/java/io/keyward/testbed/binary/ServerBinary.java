package io.keyward.testbed.binary;

import java.time.Duration;
import java.util.List;

/// A program the testbed can start, and where its source comes from.
public enum ServerBinary {
  ETCD("etcd", Module.ETCD, "go.etcd.io/etcd/server/v3", 55),
  ETCDCTL("etcdctl", Module.ETCD, "go.etcd.io/etcd/etcdctl/v3", 15),
  ETCDUTL("etcdutl", Module.ETCD, "go.etcd.io/etcd/etcdutl/v3", 15),
  KUBE_APISERVER("kube-apiserver", Module.KUBERNETES, "k8s.io/kubernetes/cmd/kube-apiserver", 334),
  KUBE_CONTROLLER_MANAGER(
      "kube-controller-manager",
      Module.KUBERNETES,
      "k8s.io/kubernetes/cmd/kube-controller-manager",
      75),
  KUBE_SCHEDULER("kube-scheduler", Module.KUBERNETES, "k8s.io/kubernetes/cmd/kube-scheduler", 15),
  KUBE_PROXY("kube-proxy", Module.KUBERNETES, "k8s.io/kubernetes/cmd/kube-proxy", 20),
  KUBELET("kubelet", Module.KUBERNETES, "k8s.io/kubernetes/cmd/kubelet", 90),
  KUBEADM("kubeadm", Module.KUBERNETES, "k8s.io/kubernetes/cmd/kubeadm", 45),
  KUBECTL("kubectl", Module.KUBERNETES, "k8s.io/kubernetes/cmd/kubectl", 60),
  SAMPLE_APISERVER("sample-apiserver", Module.KUBERNETES, "k8s.io/sample-apiserver", 10),
  STORAGE_VERSION_MIGRATOR(
      "storage-version-migrator",
      Module.MIGRATOR,
      "sigs.k8s.io/kube-storage-version-migrator/cmd/migrator",
      100),
  VAULT("vault", Module.VAULT, "github.com/hashicorp/vault", 300),
  HELM("helm", Module.HELM, "helm.sh/helm/v4/cmd/helm", 215),
  /// A KMS plugin for Vault that shares no code with Keyward. It takes the arguments that OpenShift
  /// gives to the plugin of Vault.
  VAULT_KMS_PLUGIN("vault-kms-plugin", Module.VAULT_KMS_PLUGIN, ".", 25);

  /// One Go module per family of servers; their files are resources beside this class.
  enum Module {
    ETCD("etcd", 1),
    KUBERNETES("kubernetes", 4),
    MIGRATOR("migrator", 1),
    VAULT("vault", 4),
    HELM("helm", 2),
    VAULT_KMS_PLUGIN("vault-kms-plugin", 1);

    private final String folder;
    private final long gibibytes;

    Module(String folder, long gibibytes) {
      this.folder = folder;
      this.gibibytes = gibibytes;
    }

    String folder() {
      return folder;
    }

    /// Files of package main beside go.mod, if the program is part of the testbed.
    List<String> ownSources() {
      return this == VAULT_KMS_PLUGIN ? List.of("main.go", "plugin.go", "vault.go") : List.of();
    }

    /// What a first build writes: sources, compiled packages, the program.
    long bytesOnDisk() {
      return gibibytes << 30;
    }
  }

  private final String programName;
  private final Module module;
  private final String goPackage;
  private final Duration usualBuild;

  ServerBinary(String programName, Module module, String goPackage, long usualSeconds) {
    this.programName = programName;
    this.module = module;
    this.goPackage = goPackage;
    this.usualBuild = Duration.ofSeconds(usualSeconds);
  }

  public String programName() {
    return programName;
  }

  Module module() {
    return module;
  }

  String goPackage() {
    return goPackage;
  }

  /// A first build on two cores, after the binaries listed before it.
  public Duration usualBuild() {
    return usualBuild;
  }

  /// Whether the assets of envtest may hold it.
  boolean isKubebuilderAsset() {
    return switch (this) {
      case ETCD, KUBE_APISERVER, KUBE_CONTROLLER_MANAGER, KUBECTL -> true;
      case ETCDCTL,
          ETCDUTL,
          KUBE_SCHEDULER,
          KUBE_PROXY,
          KUBELET,
          KUBEADM,
          SAMPLE_APISERVER,
          STORAGE_VERSION_MIGRATOR,
          VAULT,
          HELM,
          VAULT_KMS_PLUGIN ->
          false;
    };
  }
}
