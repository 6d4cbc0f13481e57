package io.keyward.testbed.kubeadm;

/// The configuration files that kubeadm gets. Token and key are known to everyone: such a cluster
/// is reachable from this machine alone.
final class KubeadmConfig {
  static final String ENDPOINT = "api.keyward.test";

  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final String CERTIFICATE_KEY = "0123456789abcdef".repeat(4);

  private KubeadmConfig() {}

  /// An API server that sends Retry-After while it stops does so in seconds, not after half a
  /// minute. Collecting garbage less often saves a third of the processor time of a start.
  ///
  /// @param etcd the member `etcd` of the ClusterConfiguration
  static String init(KubeadmNode node, String etcd) {
    return """
    apiVersion: kubeadm.k8s.io/v1beta4
    kind: InitConfiguration
    localAPIEndpoint: {advertiseAddress: %1$s, bindPort: 6443}
    bootstrapTokens: [{token: %3$s, ttl: 24h0m0s}]
    certificateKey: %4$s
    nodeRegistration:
      name: %2$s
      criSocket: unix:///run/containerd/containerd.sock
      taints: []
    ---
    apiVersion: kubeadm.k8s.io/v1beta4
    kind: ClusterConfiguration
    kubernetesVersion: v1.36.3
    imageRepository: localhost/k8s
    controlPlaneEndpoint: %5$s:6443
    dns: {disabled: true}
    etcd: %6$s
    networking: {serviceSubnet: 10.96.0.0/16, podSubnet: 10.244.0.0/16, dnsDomain: cluster.local}
    apiServer:
      certSANs: [127.0.0.1, 10.213.0.1, %5$s]
      extraArgs:
      - {name: shutdown-send-retry-after, value: "true"}
      extraEnvs: [{name: GOGC, value: "400"}]
    controllerManager:
      extraEnvs: [{name: GOGC, value: "400"}]
    ---
    apiVersion: kubelet.config.k8s.io/v1beta1
    kind: KubeletConfiguration
    cgroupDriver: cgroupfs
    failCgroupV1: false
    ---
    apiVersion: kubeproxy.config.k8s.io/v1alpha1
    kind: KubeProxyConfiguration
    mode: iptables
    clusterCIDR: 10.244.0.0/16
    conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
    """
        .formatted(node.address(), node.name(), TOKEN, CERTIFICATE_KEY, ENDPOINT, etcd);
  }

  /// A KMS plugin may be a static pod of the machine already.
  ///
  /// @param caHash of the cluster's CA, as `kubeadm init` prints it
  static String join(KubeadmNode node, String caHash) {
    return """
    apiVersion: kubeadm.k8s.io/v1beta4
    kind: JoinConfiguration
    discovery:
      bootstrapToken:
        token: %3$s
        apiServerEndpoint: "%5$s:6443"
        caCertHashes: ["%6$s"]
    controlPlane:
      localAPIEndpoint: {advertiseAddress: %1$s, bindPort: 6443}
      certificateKey: %4$s
    nodeRegistration:
      name: %2$s
      criSocket: unix:///run/containerd/containerd.sock
      taints: []
      ignorePreflightErrors: [SystemVerification, DirAvailable--etc-kubernetes-manifests]
    """
        .formatted(node.address(), node.name(), TOKEN, CERTIFICATE_KEY, ENDPOINT, caHash);
  }
}
