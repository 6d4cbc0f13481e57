package io.keyward.node.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.kube.client.ClusterFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public final class StaticPodHostTest {
  private static final String POD =
      """
      {"kind":"Pod","metadata":{"labels":{"revision":"REVISION"}},
       "spec":{"containers":[{"name":"a"}],
        "volumes":[{"name":"r","hostPath":{"path":"/res/a-pod-REVISION"}}]}}
      """;

  @TempDir Path root;
  private StaticPodHost host;

  @BeforeEach
  void node() throws IOException {
    Files.createDirectories(root.resolve("manifests"));
    host =
        new StaticPodHost(
            "a", new HostKind.StaticPod(root, Path.of("/res"), Path.of("/manifests")));
  }

  private void write(long revision, String config) {
    host.write(
        revision,
        Map.of("encryption-config", config.getBytes(UTF_8)),
        Optional.of(POD),
        Optional.empty());
  }

  @Test
  void bringsFilesAndThenTheManifest() throws IOException {
    assertThat(host.revision()).isZero();
    write(3, "x");
    Path file = root.resolve("res/a-pod-3/secrets/encryption-config/encryption-config");
    Path manifest = root.resolve("manifests/a.yaml");
    assertThat(file).hasContent("x");
    assertThat(Files.readString(manifest)).contains("/res/a-pod-3").doesNotContain("REVISION");
    for (Path one : new Path[] {file, manifest}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
          .isEqualTo("rw-------");
    }
    assertThat(host.revision()).isEqualTo(3);
    assertThat(host.config()).asString(UTF_8).isEqualTo("x");
  }

  @Test
  void keepsTheRevisionBeforeAndNoOther() {
    write(1, "x");
    write(2, "y");
    assertThat(host.isNewConfig()).isTrue();
    write(3, "y");
    assertThat(host.isNewConfig()).isFalse();
    assertThat(root.resolve("res/a-pod-1")).doesNotExist();
    assertThat(root.resolve("res/a-pod-2")).exists();
  }

  @Test
  void remembersWhoRanWhenItWasWritten() {
    var one = new ApiServerProcess("boot", Instant.ofEpochMilli(12_345), Duration.ofMillis(45));
    write(1, "x");
    assertThat(host.before()).isEmpty();
    host.remember(one);
    assertThat(host.before()).contains(one);
    write(2, "x");
    assertThat(host.before()).isEmpty();
  }

  @Test
  void aManifestOfSomebodyElseIsRevisionZero() throws IOException {
    Files.writeString(root.resolve("manifests/a.yaml"), "no manifest");
    assertThat(host.revision()).isZero();
  }

  private static String podWith(String argument, String mounted) {
    return """
    {"kind":"Pod","spec":{"containers":[{"name":"a","command":["a","%s"],
      "volumeMounts":[{"name":"k","mountPath":"/etc/kubernetes"}]}],
     "volumes":[{"name":"k",%s}]}}
    """
        .formatted(argument, mounted);
  }

  @Test
  void theFileBehindTheFlagIsAnExistingConfiguration() throws IOException {
    assertThat(host.existing()).isEmpty();
    Path manifest = root.resolve("manifests/a.yaml");
    String mounted = "\"hostPath\":{\"path\":\"/k8s\"}";
    Files.writeString(manifest, podWith("--v=1", mounted));
    assertThat(host.existing()).isEmpty();

    String flag = "--encryption-provider-config=/etc/kubernetes/enc.yaml";
    Files.writeString(manifest, podWith(flag, mounted));
    assertThat(host.existing().orElseThrow().words())
        .isEqualTo("a configuration that the node agent cannot read in /k8s/enc.yaml");
    Path file = Files.createDirectories(root.resolve("k8s")).resolve("enc.yaml");
    Files.writeString(file, CommandHostTest.AESCBC);
    assertThat(host.existing().orElseThrow().words())
        .isEqualTo("aescbc for secrets in /k8s/enc.yaml");
    Files.writeString(file, CommandHostTest.IDENTITY);
    assertThat(host.existing()).isEmpty();

    Files.writeString(manifest, podWith(flag, "\"emptyDir\":{}"));
    assertThat(host.existing().orElseThrow().words())
        .isEqualTo("a configuration that the node agent cannot read in /etc/kubernetes/enc.yaml");
    Files.writeString(manifest, "no manifest");
    assertThat(host.existing().orElseThrow().words())
        .isEqualTo("a manifest that the node agent cannot read in /manifests/a.yaml");
  }

  @Test
  void aRevisionIsNoExistingConfigurationAlsoWithoutItsLabel() throws IOException {
    write(3, CommandHostTest.AESCBC);
    assertThat(host.existing()).isEmpty();
    assertThat(host.isIntact()).isTrue();
    Files.writeString(
        root.resolve("manifests/a.yaml"),
        podWith(
            "--encryption-provider-config=/etc/kubernetes/secrets/encryption-config/encryption-config",
            "\"hostPath\":{\"path\":\"/res/a-pod-3\"}"));
    assertThat(host.revision()).isZero();
    assertThat(host.existing()).isEmpty();
  }

  @Test
  void aFileThatWasEditedIsNotIntact() throws IOException {
    write(3, "x");
    Files.writeString(root.resolve("res/a-pod-3/secrets/encryption-config/encryption-config"), "y");
    assertThat(host.isIntact()).isFalse();
  }

  @Test
  void namesThatLeaveTheDirectoryAreRefused() {
    assertThatThrownBy(
            () -> host.write(1, Map.of("../x", new byte[1]), Optional.of(POD), Optional.empty()))
        .isInstanceOf(ClusterFailure.class);
    assertThat(root.resolve("manifests/a.yaml")).doesNotExist();
  }

  @Test
  void socketsAreBelowTheRootOfTheNode() {
    assertThat(host.reach("unix:///run/s")).isEqualTo("unix://" + root + "/run/s");
  }
}
