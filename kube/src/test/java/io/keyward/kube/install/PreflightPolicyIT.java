package io.keyward.kube.install;

import static io.keyward.kube.install.KubeadmPlane.becomes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.pod.PreflightPods;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.preflight.PreflightCandidate;
import io.keyward.core.sidecar.PluginContainer;
import io.keyward.core.sidecar.Sidecars;
import io.keyward.kube.client.Api;
import io.keyward.testbed.SharedControlPlane;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Which pods the operator may create, on a real API server: those of a preflight, and none that
/// gives it power over a node. All requests have RBAC permission.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public final class PreflightPolicyIT {
  private static final String PODS = "/api/v1/namespaces/keyward-system/pods";

  private KubeadmPlane cluster;
  private Api operator;

  @BeforeAll
  void start(@TempDir Path directory) {
    cluster = new KubeadmPlane(SharedControlPlane.cleared(), directory);
    operator = cluster.account(Rights.OPERATOR);
    // No controller creates it here.
    if (cluster
        .admin()
        .get("/api/v1/namespaces/keyward-system/serviceaccounts/default")
        .isEmpty()) {
      cluster
          .admin()
          .create(
              "/api/v1/namespaces/keyward-system/serviceaccounts",
              ObjectMeta.fresh("v1", "ServiceAccount", "default"));
    }
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  /// As the operator creates it, with a plugin for an HSM.
  private static ObjectNode pod() {
    var candidate =
        new PreflightCandidate(
            new Fingerprint("AAAAAAAA"),
            Key.unbacked(new KeySerial(1), Mode.KMS, Key.NULL_MATERIAL, Optional.empty()),
            EncryptionLayout.EMPTY);
    var plugin =
        new PluginContainer(
            "keyward-kms-plugin",
            "keyward:1",
            List.of("java"),
            List.of("plugin"),
            List.of("java"),
            false,
            new TreeSet<>(List.of("/usr/lib/hsm")));
    return PreflightPods.pod(
        "kube-apiserver",
        "keyward-system",
        "node-a",
        candidate,
        "keyward:1",
        new Sidecars(List.of(plugin), new TreeSet<>(List.of("/var/run/keyward-kms"))));
  }

  /// Nothing is stored, so that no controller works on it.
  private Api.Answer create(ObjectNode pod) {
    return operator.once(
        "POST", PODS + "?dryRun=All", "application/json", "application/json", pod.toString());
  }

  @Test
  void thePodsOfAPreflightAreAllowed() {
    Api.Answer answer = create(pod());
    assertThat(answer.isOk()).as(answer.body()).isTrue();
  }

  @Test
  void noPodHasPowerOverItsNode() {
    refused("no token", pod -> spec(pod).put("automountServiceAccountToken", true));
    refused("nothing else", pod -> spec(pod).put("hostPID", true));
    refused(
        "no privileges",
        pod -> security(pod).put("privileged", true).put("allowPrivilegeEscalation", true));
    refused("no privileges", pod -> security(pod).put("runAsUser", 0));
    refused("no privileges", pod -> security(pod).put("runAsNonRoot", false));
    refused("no privileges", pod -> security(pod).put("allowPrivilegeEscalation", true));
    refused("no privileges", pod -> security(pod).putObject("capabilities"));
    refused(
        "does not write",
        pod -> {
          spec(pod)
              .withArray("volumes")
              .addObject()
              .put("name", "root")
              .putObject("hostPath")
              .put("path", "/");
          ((ObjectNode) pod.at("/spec/containers/0"))
              .withArray("volumeMounts")
              .addObject()
              .put("name", "root")
              .put("mountPath", "/host");
        });
    refused(
        "no other",
        pod ->
            spec(pod)
                .withArray("volumes")
                .addObject()
                .put("name", "keys")
                .putObject("secret")
                .put("secretName", "encryption-key-kube-apiserver-1"));
  }

  private static ObjectNode spec(ObjectNode pod) {
    return pod.withObject("/spec");
  }

  private static ObjectNode security(ObjectNode pod) {
    return (ObjectNode) pod.at("/spec/initContainers/0/securityContext");
  }

  private void refused(String words, Consumer<ObjectNode> change) {
    ObjectNode pod = pod();
    change.accept(pod);
    // API servers notice a new policy a moment later.
    assertThat(becomes(() -> !create(pod).isOk())).as(words).isTrue();
    assertThat(create(pod).body()).contains(words);
  }
}
