package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.Vault;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A Vault with TLS that a node reaches on its loopback, prepared as the Vault guide says.
final class KubeadmVault implements AutoCloseable {
  private static final int PORT = 8200;
  private static final Path EXAMPLES = Path.of("../deploy/examples");

  private final Vault vault;
  private final KubeadmNode node;
  private final String roleId;
  private String secretId;

  private KubeadmVault(Vault vault, KubeadmNode node) throws IOException {
    this.vault = vault;
    this.node = node;
    try (ApiClient root = vault.client()) {
      post(root, "sys/mounts/kube", "{\"type\":\"transit\"}");
      post(root, "kube/keys/cluster", "{\"type\":\"aes256-gcm96\"}");
      put(root, "sys/policies/acl/keyward", "{\"policy\":\"" + POLICY + "\"}");
      post(root, "sys/auth/approle", "{\"type\":\"approle\"}");
      post(root, "auth/approle/role/keyward", "{\"token_policies\":\"keyward\"}");
      roleId = field(root.get("/v1/auth/approle/role/keyward/role-id"), "role_id");
      secretId = field(root.post("/v1/auth/approle/role/keyward/secret-id", "{}"), "secret_id");
    }
  }

  /// What `spec.encryption` requests for this Vault, with a plugin that Keyward runs.
  static String request() {
    return request("");
  }

  /// The same with a plugin of another make.
  ///
  /// @param image empty for Keyward's
  static String request(String image) {
    return "{\"type\":\"KMS\",\"kms\":{\"type\":\"Vault\",\"vault\":{"
        + (image.isEmpty() ? "" : "\"kmsPluginImage\":\"" + image + "\",")
        + "\"vaultAddress\":"
        + "\"https://127.0.0.1:"
        + PORT
        + "\",\"vaultKeyPath\":\"kube/keys/cluster\",\"tls\":{\"caBundle\":{\"name\":\"vault-ca\"}},"
        + "\"authentication\":{\"type\":\"AppRole\",\"appRole\":{\"secret\":{\"name\":"
        + "\"vault-approle\"}}}}}}";
  }

  /// The credential that must be seen nowhere but in files.
  String secretId() {
    return secretId;
  }

  /// The Secret with the login, as an administrator applies it.
  void applySecret(String withSecretId) {
    apply(
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: vault-approle, namespace: keyward-system}
        stringData: {role-id: "%s", secret-id: "%s"}
        """
            .formatted(roleId, withSecretId));
  }

  /// The ConfigMap with the certificate of the authority.
  void applyCa() {
    try {
      String pem = Files.readString(vault.caCertificate().orElseThrow()).strip();
      apply(
          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault-ca, namespace: keyward-system}\n"
              + "data:\n  ca-bundle.crt: |\n    "
              + pem.replace("\n", "\n    ")
              + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void apply(String object) {
    node.write("/root-of-the-test/object.yaml", object);
    KubeadmAdmin.awaited(
        () -> {
          node.run("kubectl", "apply", "-f", "/root-of-the-test/object.yaml");
          return true;
        },
        KubeadmAdmin.LIMIT);
  }

  /// Vault no longer responds, and keeps what it has.
  void pause() {
    vault.pause();
  }

  void resume() {
    vault.resume();
  }

  /// Rotates the key in Vault, and does nothing else.
  void rotateKey() {
    try (ApiClient root = vault.client()) {
      post(root, "kube/keys/cluster/rotate", "{}");
    }
  }

  /// A new credential; the old one is refused from now on.
  void rotateSecretId() {
    try (ApiClient root = vault.client()) {
      String before = secretId;
      secretId = field(root.post("/v1/auth/approle/role/keyward/secret-id", "{}"), "secret_id");
      post(
          root,
          "auth/approle/role/keyward/secret-id/destroy",
          "{\"secret_id\":\"" + before + "\"}");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static KubeadmVault start(Path directory, KubeadmCluster cluster, KubeadmNode node) {
    Vault vault = Vault.start(directory, ServerBinaries.ofThisMachine(), true);
    cluster.expose(node, PORT, vault.url().getPort());
    try {
      return new KubeadmVault(vault, node);
    } catch (IOException e) {
      vault.close();
      throw new UncheckedIOException(e);
    }
  }

  /// Another node reaches it on its loopback, too.
  void expose(KubeadmCluster cluster, KubeadmNode other) {
    cluster.expose(other, PORT, vault.url().getPort());
  }

  private static final String POLICY =
      "path \\\"kube/encrypt/cluster\\\" { capabilities = [\\\"update\\\"] }\\n"
          + "path \\\"kube/decrypt/cluster\\\" { capabilities = [\\\"update\\\"] }\\n"
          + "path \\\"kube/keys/cluster\\\" { capabilities = [\\\"read\\\"] }";

  private static void post(ApiClient root, String path, String json) {
    ApiClient.Answer answer = root.post("/v1/" + path, json);
    assertThat(answer.isOk()).as(answer.body()).isTrue();
  }

  private static void put(ApiClient root, String path, String json) {
    ApiClient.Answer answer = root.put("/v1/" + path, json);
    assertThat(answer.isOk()).as(answer.body()).isTrue();
  }

  private static String field(ApiClient.Answer answer, String name) throws IOException {
    assertThat(answer.isOk()).as(answer.body()).isTrue();
    return new ObjectMapper().readTree(answer.body()).path("data").path(name).asText();
  }

  /// What the guide wants in the current directory: the examples, adapted, and the credentials.
  void writeFiles(String directory) {
    node.write(
        directory + "/plugin.yaml",
        example("vault-plugin.yaml")
            .replace("vault.example.org:8200", "127.0.0.1:" + PORT)
            .replaceAll("roleId: .*", "roleId: " + roleId));
    node.write(directory + "/vault-plugin-pod.yaml", example("vault-plugin-pod.yaml"));
    node.write(directory + "/secret-id", secretId + "\n");
    try {
      node.write(
          directory + "/vault-ca.pem", Files.readString(vault.caCertificate().orElseThrow()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String example(String name) {
    try {
      return Files.readString(EXAMPLES.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    vault.close();
  }
}
