package io.keyward.kube.install;

import static io.keyward.kube.install.KubeadmPlane.COMPONENT;
import static io.keyward.kube.install.KubeadmPlane.REVISIONS;
import static io.keyward.kube.install.KubeadmPlane.becomes;
import static io.keyward.kube.install.KubeadmPlane.get;
import static io.keyward.kube.install.KubeadmPlane.patch;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.AccountToken;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import io.keyward.kube.migrate.Migrator;
import io.keyward.testbed.SharedControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the operator and the node agents of a kubeadm cluster cannot do, by trying it on a real API
/// server.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public final class KubeadmRightsIT {
  private static final String ROLES =
      "/apis/rbac.authorization.k8s.io/v1/namespaces/keyward-revisions/roles/";
  private static final String ACCOUNTS = "/api/v1/namespaces/keyward-system/serviceaccounts/";
  private static final int FORBIDDEN = 403;

  private KubeadmPlane cluster;
  private Api operator;
  private Api node;

  @BeforeAll
  void start(@TempDir Path directory) {
    cluster = new KubeadmPlane(SharedControlPlane.cleared(), directory);
    operator = cluster.account(Rights.OPERATOR);
    node = cluster.node("a");
    for (String path :
        List.of(
            "kube-system/secrets/other",
            "default/secrets/other",
            "keyward-system/secrets/encryption-key-kube-apiserver-1",
            "keyward-revisions/secrets/encryption-config-1",
            "keyward-revisions/secrets/encryption-config-2",
            "keyward-revisions/secrets/encryption-config-3")) {
      String[] parts = path.split("/", 3);
      cluster
          .admin()
          .create(
              "/api/v1/namespaces/" + parts[0] + "/secrets",
              ObjectMeta.fresh("v1", "Secret", parts[2]));
    }
    new AgentAccess(operator, COMPONENT).grant(new TreeSet<>(List.of("a")));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void agentsReadTheRevisionsThatTheOperatorAllowsAndNoOthers() {
    allow(1, 2);
    assertThat(reads(1)).isTrue();
    assertThat(reads(2)).isTrue();
    assertThat(reads(3)).isFalse();
    allow(3);
    assertThat(becomes(() -> !reads(1) && !reads(2) && reads(3))).isTrue();
    // No name in a rule would mean every name.
    allow();
    assertThat(becomes(() -> !reads(1) && !reads(2) && !reads(3))).isTrue();
  }

  /// The next installation, by any version, must not cut agents off while no operator runs.
  @Test
  void anInstallationKeepsWhatTheOperatorAllowed() {
    allow(1);
    new Installer(cluster.admin()).install(List.of(COMPONENT), Migrator.Kind.OURS);
    assertThat(cluster.admin().get(ROLES + Rights.NODE_REVISIONS).orElseThrow().path("rules"))
        .hasSize(1);
    assertThat(reads(1)).isTrue();
    assertThat(reads(2)).isFalse();
  }

  @Test
  void aRoleThatSomebodyEmptiedIsFilledAgain() {
    long[] now = {0};
    var later = new AgentAccess(operator, COMPONENT, () -> now[0]);
    later.grant(new TreeSet<>(List.of("a")));
    later.allow(new TreeSet<>(List.of(2L)));
    assertThat(becomes(() -> reads(2))).isTrue();
    ObjectNode role = cluster.admin().get(ROLES + Rights.NODE_REVISIONS).orElseThrow();
    role.putArray("rules");
    cluster.admin().replace(ROLES + Rights.NODE_REVISIONS, role);
    assertThat(becomes(() -> !reads(2))).isTrue();
    now[0] = Duration.ofMinutes(1).toNanos();
    later.allow(new TreeSet<>(List.of(2L)));
    assertThat(becomes(() -> reads(2))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/secrets",
        "/api/v1/namespaces/keyward-revisions/secrets",
        "/api/v1/namespaces/keyward-system/secrets/encryption-key-kube-apiserver-1",
        "/api/v1/namespaces/keyward-system/configmaps/keyward-config",
        "/api/v1/namespaces/kube-system/secrets/other",
        "/api/v1/namespaces/keyward-revisions/configmaps/revision-status-1"
      })
  void anAgentDoesNotRead(String path) {
    assertThat(get(node, path)).isEqualTo(FORBIDDEN);
  }

  @Test
  void aNodeThatIsNotOfTheControlPlaneReadsNothing() {
    allow(1);
    Api worker = cluster.node("worker");
    assertThat(get(worker, REVISIONS + "secrets/encryption-config-1")).isEqualTo(FORBIDDEN);
    assertThat(get(worker, COMPONENT.operatorPath())).isEqualTo(FORBIDDEN);
    assertThat(
            patch(worker, COMPONENT.operatorPath() + "/status", "merge-patch+json", "{}").status())
        .isEqualTo(FORBIDDEN);
  }

  /// The first one is the issue's own words; the others are what the migrator alone may do.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/namespaces/kube-system/secrets/other",
        "/api/v1/namespaces/kube-system/secrets",
        "/api/v1/namespaces/kube-system/configmaps",
        "/api/v1/namespaces/default/secrets/other",
        "/api/v1/secrets",
        "/api/v1/configmaps"
      })
  void theOperatorDoesNotRead(String path) {
    assertThat(get(operator, path)).isEqualTo(FORBIDDEN);
  }

  @Test
  void theOperatorChangesNoObjectOfOthers() {
    assertThat(
            patch(
                    operator,
                    "/api/v1/namespaces/default/secrets/other",
                    "merge-patch+json",
                    "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}")
                .status())
        .isEqualTo(FORBIDDEN);
  }

  @Test
  void theOperatorGetsTokensOfTheMigratorAlone() {
    assertThat(token(ACCOUNTS + "keyward-migrator/token")).isEqualTo(201);
    cluster.admin().create(ACCOUNTS, ObjectMeta.fresh("v1", "ServiceAccount", "other"));
    assertThat(token(ACCOUNTS + "other/token")).isEqualTo(FORBIDDEN);
    assertThat(token(ACCOUNTS + "keyward-operator/token")).isEqualTo(FORBIDDEN);
  }

  private int token(String path) {
    String body = AccountToken.request(Duration.ofMinutes(10)).toString();
    return operator.once("POST", path, "application/json", "application/json", body).status();
  }

  /// The operator may write the role, and RBAC lets nobody give away what he does not have.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"verbs\":[\"patch\"]}",
        "{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"create\"]}",
        "{\"apiGroups\":[\"*\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}"
      })
  void theOperatorGivesAgentsNothingThatItDoesNotHave(String rule) {
    String body = "{\"rules\":[" + rule + "]}";
    assertThat(patch(operator, ROLES + Rights.NODE_REVISIONS, "merge-patch+json", body).status())
        .isEqualTo(FORBIDDEN);
    assertThat(patch(operator, ROLES + Rights.NODE_AGENT, "merge-patch+json", "{}").status())
        .isEqualTo(FORBIDDEN);
  }

  private void allow(long... revisions) {
    var all = new TreeSet<Long>();
    for (long one : revisions) {
      all.add(one);
    }
    new AgentAccess(operator, COMPONENT).allow(all);
    all.forEach(one -> assertThat(becomes(() -> reads(one))).isTrue());
  }

  private boolean reads(long revision) {
    int status = get(node, REVISIONS + "secrets/" + COMPONENT.revision(revision));
    assertThat(status).isIn(200, FORBIDDEN);
    return status == 200;
  }
}
