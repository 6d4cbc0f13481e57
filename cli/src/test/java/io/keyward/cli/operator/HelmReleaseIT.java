package io.keyward.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.binary.ServerBinary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The life of a release on a real API server. Nothing runs the pods here.
final class HelmReleaseIT {
  private static final String CHART = "../deploy/chart";

  @TempDir private Path directory;

  @Test
  void aReleaseKeepsTheRequestAndTheKeys() throws Exception {
    try (ControlPlane plane = ControlPlane.builder(directory.resolve("plane")).start()) {
      Path kubeconfig = plane.kubeconfig(0);
      succeed(kubeconfig, ServerBinary.HELM, "install", "keyward", CHART, "-n", "kube-system");
      assertThat(kubectl(kubeconfig, "get", "deployment,daemonset", "-A", "-o", "name").lines())
          .contains("deployment.apps/keyward-operator", "daemonset.apps/keyward-node-setup");

      String aescbc = "{\"spec\":{\"encryption\":{\"type\":\"aescbc\"}}}";
      kubectl(kubeconfig, "patch", "clusterencryption/cluster", "--type=merge", "-p", aescbc);
      succeed(
          kubeconfig,
          ServerBinary.HELM,
          "upgrade",
          "keyward",
          CHART,
          "-n",
          "kube-system",
          "--set=replicas=3");
      assertThat(requested(kubeconfig)).as("after an upgrade").isEqualTo("aescbc");

      succeed(kubeconfig, ServerBinary.HELM, "uninstall", "keyward", "-n", "kube-system");
      assertThat(requested(kubeconfig)).as("after helm uninstall").isEqualTo("aescbc");
      for (String namespace : List.of("keyward-system", "keyward-revisions")) {
        assertThat(
                kubectl(
                    kubeconfig, "get", "namespace", namespace, "-o", "jsonpath={.status.phase}"))
            .as("a namespace that is deleted is Terminating")
            .isEqualTo("Active");
      }
      assertThat(kubectl(kubeconfig, "get", "deployment", "-A", "-o", "name")).isBlank();
    }
  }

  private String requested(Path kubeconfig) throws Exception {
    return kubectl(
        kubeconfig, "get", "clusterencryption/cluster", "-o", "jsonpath={.spec.encryption.type}");
  }

  private String kubectl(Path kubeconfig, String... words) throws Exception {
    return succeed(kubeconfig, ServerBinary.KUBECTL, words);
  }

  private String succeed(Path kubeconfig, ServerBinary program, String... words) throws Exception {
    var all = new ArrayList<>(List.of(words));
    all.add("--kubeconfig=" + kubeconfig);
    ClientProgram.Run run = ClientProgram.of(program, directory).run(all.toArray(String[]::new));
    assertThat(run.exit()).as("%s: %s", all, run.err()).isZero();
    return run.out();
  }
}
