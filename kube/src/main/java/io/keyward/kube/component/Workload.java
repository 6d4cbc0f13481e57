package io.keyward.kube.component;

/// How the instances of an API server are run, and so how a revision reaches them.
public enum Workload {
  /// A node agent writes the configuration and runs a command that restarts the API server.
  RESTART_COMMAND("restartCommand"),
  /// A node agent writes the configuration and the manifest; the kubelet starts what it says.
  STATIC_POD("staticPod"),
  /// A node agent patches the manifest that kubeadm wrote on its node, and kubeadm's own
  /// configuration is told, so that kubeadm writes the same again.
  KUBEADM("kubeadm"),
  /// A Deployment gets the Secret of the revision by name, and replaces its pods by itself.
  DEPLOYMENT("deployment");

  private final String word;

  Workload(String word) {
    this.word = word;
  }

  /// As in the configuration file.
  public String word() {
    return word;
  }
}
