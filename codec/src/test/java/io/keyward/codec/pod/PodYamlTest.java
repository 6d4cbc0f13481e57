package io.keyward.codec.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.Decoded;
import io.keyward.core.rollout.manifest.ManifestRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodYamlTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: kube-apiserver
      spec:
        containers:
        - name: helper
          command: [sleep]
        - name: kube-apiserver
          command: [kube-apiserver, --secure-port=6443]
          volumeMounts:
          - {name: pki, mountPath: /etc/kubernetes/pki}
        volumes:
        - name: pki
          hostPath: {path: /etc/kubernetes/pki}
      """;

  @Test
  void aManifestThatWasCompletedLacksNothing() {
    var sockets = List.of("/var/run/kmsplugin/a.sock", "/run/other/b.sock");
    PodYaml before = parse("kube-apiserver", POD);
    var needs = ManifestRule.needs(before.manifest(), sockets);
    assertThat(needs).hasSize(5);

    PodYaml after = before.with(needs);
    assertThat(ManifestRule.needs(after.manifest(), sockets)).isEmpty();
    assertThat(after.text())
        .contains("--secure-port=6443", "\"/etc/kubernetes/pki\"")
        .contains("/etc/kubernetes/static-pod-resources/kube-apiserver-pod-REVISION");
    assertThat(parse("kube-apiserver", after.text().replace("REVISION", "7")).revision())
        .isEqualTo(7);
    assertThat(before.revision()).isZero();
  }

  @Test
  void aFlagForAnotherFileIsReplaced() {
    PodYaml before =
        parse(
            "kube-apiserver",
            POD.replace("--secure-port=6443", "--encryption-provider-config=/old.yaml"));
    PodYaml after = before.with(ManifestRule.needs(before.manifest(), List.of()));
    assertThat(after.text()).doesNotContain("/old.yaml");
    assertThat(ManifestRule.needs(after.manifest(), List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --secure-port=1                                             | -
          --encryption-provider-config-automatic-reload=true          | -
          --encryption-provider-config=/etc/kubernetes/pki/e.yaml     | /etc/kubernetes/pki/e.yaml at /etc/kubernetes/pki/e.yaml
          "--encryption-provider-config", "/etc/kubernetes/pki/e"     | /etc/kubernetes/pki/e at /etc/kubernetes/pki/e
          "-c", "exec x --encryption-provider-config=/opt/e --v 1"    | /opt/e at nowhere
          --encryption-provider-config=/a, --encryption-provider-config=/b | /b at nowhere
          --encryption-provider-config                                | nothing at nowhere
          """,
      quoteCharacter = '`')
  void theFileBehindTheFlagIsFoundInEveryForm(String arguments, String found) {
    PodYaml pod = parse("kube-apiserver", POD.replace("--secure-port=6443", arguments));
    assertThat(
            pod.configFile()
                .map(one -> one.file() + " at " + one.onNode().orElse("nowhere"))
                .orElse("-"))
        .isEqualTo(found.replace("nothing", ""));
  }

  @Test
  void eachDirectoryKeepsItsOwnVolume() {
    PodYaml first = parse("kube-apiserver", POD);
    PodYaml one = first.with(ManifestRule.needs(first.manifest(), List.of("/run/one/a.sock")));
    // An admin takes a mount away, so there are as many as when the volume was named.
    PodYaml fewer =
        parse(
            "kube-apiserver",
            one.text().replaceAll("\\{\\s+\"name\" : \"pki\",\\s+\"mountPath\"[^}]*\\}, ", ""));
    assertThat(fewer.manifest().mounts()).hasSize(one.manifest().mounts().size() - 1);
    var both = List.of("/run/one/a.sock", "/run/other/b.sock");
    PodYaml after = fewer.with(ManifestRule.needs(fewer.manifest(), both));
    assertThat(after.manifest().mounts())
        .containsEntry("/run/one", "/run/one")
        .containsEntry("/run/other", "/run/other");
  }

  @Test
  void whatIsNoPodIsRefusedInWords() {
    for (String text : List.of("", "]", "kind: Pod", "kind: Secret\nspec: {containers: [{}]}")) {
      assertThat(PodYaml.parse("kube-apiserver", text))
          .isEqualTo(
              Decoded.bad(
                  "the manifest of kube-apiserver",
                  "is no Pod with a container; correct kube-apiserver-pod"));
    }
  }

  private static PodYaml parse(String component, String text) {
    return PodYaml.parse(component, text)
        .orElseThrow(problem -> new IllegalArgumentException(problem.what()));
  }
}
