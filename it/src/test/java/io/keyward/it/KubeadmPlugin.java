package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.kubeadm.KubeadmNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A KMS plugin of Keyward's own image as a static pod, with one key store for all nodes. Nodes see
/// the temporary directory of the machine.
final class KubeadmPlugin {
  /// As a request names it.
  static final String REQUEST =
      "{\"type\":\"KMS\",\"kms\":{\"type\":\"External\",\"external\":"
          + "{\"endpoint\":\"unix:///var/run/kmsplugin/kms.sock\"}}}";

  private static final String HOME = "/etc/kubernetes/kms";

  private final Path keys;
  private final Path password;

  KubeadmPlugin(Path directory) throws IOException {
    keys = directory.resolve("keys.p12");
    password = Files.writeString(directory.resolve("password"), "a password of the test\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    keystore("create");
  }

  private void keystore(String verb) {
    Keyward made =
        Keyward.run(
            "keystore",
            verb,
            "--keystore",
            keys.toString(),
            "--password-file",
            password.toString());
    assertThat(made.exitCode()).as(made.err()).isZero();
  }

  void start(KubeadmNode node) {
    node.write(HOME + "/plugin.yaml", CONFIG);
    node.run("cp", password.toString(), HOME + "/password");
    copyKeys(node);
    node.run("chmod", "-R", "go=", HOME);
    node.write(
        "/etc/kubernetes/manifests/kms-plugin.yaml", POD.replace("VERSION", Artefacts.version()));
  }

  /// Nodes get the new version one after the other, as they would of a KMS.
  void rotate(Iterable<KubeadmNode> nodes) {
    keystore("rotate");
    nodes.forEach(this::copyKeys);
  }

  private void copyKeys(KubeadmNode node) {
    node.run("cp", keys.toString(), HOME + "/keys.new");
    node.run("chmod", "600", HOME + "/keys.new");
    node.run("mv", HOME + "/keys.new", HOME + "/keys.p12");
  }

  private static final String CONFIG =
      """
      keys:
        - name: kms
          socket: /var/run/kmsplugin/kms.sock
          provider: local
          local:
            keystore: /etc/kubernetes/kms/keys.p12
            passwordFile: /etc/kubernetes/kms/password
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: kms-plugin
        namespace: kube-system
      spec:
        hostNetwork: true
        priorityClassName: system-node-critical
        containers:
        - name: plugin
          image: localhost/keyward:VERSION
          command: [/opt/keyward/runtime/bin/java, "@/opt/keyward/lib/plugin.args"]
          args: [plugin, --config=/etc/kubernetes/kms/plugin.yaml]
          securityContext:
            runAsUser: 0
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          volumeMounts:
          - {name: settings, mountPath: /etc/kubernetes/kms, readOnly: true}
          - {name: sockets, mountPath: /var/run/kmsplugin}
        volumes:
        - name: settings
          hostPath: {path: /etc/kubernetes/kms}
        - name: sockets
          hostPath: {path: /var/run/kmsplugin, type: DirectoryOrCreate}
      """;
}
