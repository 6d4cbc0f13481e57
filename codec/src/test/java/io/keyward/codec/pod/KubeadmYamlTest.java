package io.keyward.codec.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.Decoded;
import io.keyward.core.rollout.manifest.ManifestRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KubeadmYamlTest {
  private static final List<String> SOCKETS = List.of("/var/run/kmsplugin/a.sock");

  /// As kubeadm stores it, from version v1beta4 on.
  private static final String LIST =
      """
      apiServer:
        certSANs:
        - 127.0.0.1
        extraArgs:
        - name: shutdown-send-retry-after
          value: "true"
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: ClusterConfiguration
      kubernetesVersion: v1.36.3
      """;

  /// As kubeadm stored it before.
  private static final String MAP =
      """
      apiServer:
        extraArgs:
          authorization-mode: Node,RBAC
        timeoutForControlPlane: 4m0s
      apiVersion: kubeadm.k8s.io/v1beta3
      kind: ClusterConfiguration
      """;

  private static final String BARE =
      """
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: ClusterConfiguration
      """;

  @ParameterizedTest
  @ValueSource(strings = {LIST, MAP, BARE})
  void aConfigurationThatWasCompletedLacksNothing(String text) {
    KubeadmYaml before = parse(text);
    var needs = ManifestRule.kubeadmNeeds(before.manifest(), SOCKETS);
    assertThat(needs).hasSize(3);

    KubeadmYaml after = parse(before.with(needs).yaml());
    assertThat(ManifestRule.kubeadmNeeds(after.manifest(), SOCKETS)).isEmpty();
    assertThat(after.yaml())
        .contains("pathType: DirectoryOrCreate", "hostPath: /var/run/kmsplugin");
    assertThat(before.yaml()).doesNotContain("keyward");
  }

  @Test
  void everythingElseStaysTheSame() {
    KubeadmYaml before = parse(LIST);
    KubeadmYaml after = before.with(ManifestRule.kubeadmNeeds(before.manifest(), SOCKETS));
    assertThat(after.yaml()).contains("value: 'true'", "- '127.0.0.1'", "v1.36.3");
    assertThat(parse(after.withoutKeyward().yaml()).yaml()).isEqualTo(before.yaml());
  }

  @Test
  void anArgumentForAnotherFileStaysWhenKeywardIsRemoved() {
    String text = LIST.replace("shutdown-send-retry-after", "encryption-provider-config");
    assertThat(parse(text).withoutKeyward().yaml()).contains("encryption-provider-config");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a: [", "kind: InitConfiguration", "[]", "text"})
  void anythingElseIsAProblem(String text) {
    assertThat(KubeadmYaml.parse(text)).isInstanceOf(Decoded.Bad.class);
  }

  /// Kubernetes reads YAML 1.1.
  @ParameterizedTest
  @ValueSource(strings = {"yes", "no", "on", "0x10", "1e3", "12:30:45", "1_000", "null", "~", ""})
  void textsThatLookLikeOtherTypesAreQuoted(String word) {
    KubeadmYaml parsed = parse(BARE + "clusterName: '" + word + "'\n");
    assertThat(parsed.yaml()).containsPattern("clusterName: ['\"]" + word + "['\"]");
  }

  private static KubeadmYaml parse(String text) {
    return KubeadmYaml.parse(text)
        .orElseThrow(problem -> new IllegalStateException(problem.toString()));
  }
}
