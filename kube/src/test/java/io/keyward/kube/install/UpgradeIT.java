package io.keyward.kube.install;

import static io.keyward.kube.install.KubeadmPlane.COMPONENT;
import static io.keyward.kube.install.KubeadmPlane.becomes;
import static io.keyward.kube.install.KubeadmPlane.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import io.keyward.kube.install.InstallPlan.Mode;
import io.keyward.kube.install.InstallPlan.Part;
import io.keyward.kube.migrate.Migrator;
import io.keyward.testbed.SharedControlPlane;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An installation on top of the objects that an earlier commit installed. Its operator was allowed
/// to list and change all Secrets.
public final class UpgradeIT {
  private static final String REQUEST = "/apis/keyward.io/v1alpha1/clusterencryptions/cluster";
  private static final String KEYS = "/api/v1/namespaces/keyward-system/secrets";
  private static final String OTHERS = "/api/v1/namespaces/default/secrets";

  @Test
  void updatesItsObjectsAndKeepsRequestAndKeys(@TempDir Path directory) {
    try (var cluster = KubeadmPlane.empty(SharedControlPlane.cleared(), directory)) {
      Api admin = cluster.admin();
      installBefore(admin);
      Api operator = cluster.account(Rights.OPERATOR);
      assertThat(becomes(() -> get(operator, OTHERS) == 200)).isTrue();
      var request = Api.JSON.createObjectNode();
      request.withObject("/spec/encryption").put("type", "aescbc");
      admin.mergePatch(REQUEST, request);
      admin.create(KEYS, ObjectMeta.fresh("v1", "Secret", "encryption-key-kube-apiserver-1"));

      assertThat(install(admin))
          .contains("clusterrolebinding.rbac.authorization.k8s.io/keyward-migrator configured");
      assertThat(becomes(() -> get(operator, OTHERS) == 403)).isTrue();
      assertThat(get(admin, KEYS + "/encryption-key-kube-apiserver-1")).isEqualTo(200);
      assertThat(admin.get(REQUEST).orElseThrow().at("/spec/encryption/type").asText())
          .isEqualTo("aescbc");
      assertThat(install(admin)).allMatch(line -> line.endsWith(" unchanged"));
    }
  }

  private static void installBefore(Api admin) {
    new Installer(admin)
        .install(
            new InstallPlan(
                Templates.read("installed-before.yaml", Map.of()).stream()
                    .map(object -> new Part(object, Mode.APPLY))
                    .toList()),
            _ -> {});
  }

  /// Returns a line for each object.
  private static List<String> install(Api admin) {
    var deployed =
        new Deployed(
            "localhost/keyward:0.1.0",
            "0.1.0",
            "apiServers: []\n",
            2,
            "https://kubernetes.default.svc",
            List.of("/var/run/kmsplugin"));
    var lines = new ArrayList<String>();
    new Installer(admin)
        .install(
            InstallPlan.of(List.of(COMPONENT), Migrator.Kind.OURS, Optional.of(deployed)),
            lines::add);
    return lines;
  }
}
