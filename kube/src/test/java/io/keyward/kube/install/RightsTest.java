package io.keyward.kube.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.Migrator;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

public final class RightsTest {
  private static final Component DEFAULT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(new Resource("", "secrets"), new Resource("", "configmaps"))),
          new TreeSet<>());

  @Test
  void whoLetsOthersMigrateMayNotTouchTheObjects() {
    List<ObjectNode> rights = Rights.of(List.of(DEFAULT), Migrator.Kind.IN_TREE);
    assertThat(rights)
        .filteredOn(one -> one.path("kind").asText().equals("ClusterRole"))
        .noneMatch(one -> one.toString().contains("\"secrets\""))
        .anyMatch(one -> one.toString().contains("storagemigration.k8s.io"));
  }

  @Test
  void theOperatorItselfMayNotTouchTheObjectsEither() {
    List<ObjectNode> rights = Rights.of(List.of(DEFAULT), Migrator.Kind.OURS);
    assertThat(rights)
        .filteredOn(one -> one.path("kind").asText().equals("ClusterRole"))
        .filteredOn(one -> one.toString().contains("\"secrets\""))
        .extracting(one -> one.at("/metadata/name").asText())
        .containsExactly(Rights.MIGRATOR);
    assertThat(rights)
        .filteredOn(one -> one.path("kind").asText().equals("ClusterRoleBinding"))
        .filteredOn(one -> one.at("/roleRef/name").asText().equals(Rights.MIGRATOR))
        .extracting(one -> one.at("/subjects/0/name").asText())
        .containsExactly(Rights.MIGRATOR);
  }

  /// Manifests of revisions have numbers, so they cannot be named.
  @Test
  void onlyStaticPodsNeedToWatchConfigMapsOfAnyName() {
    assertThat(watchesOfConfigMaps(Workload.STATIC_POD)).containsExactly("");
    assertThat(watchesOfConfigMaps(Workload.RESTART_COMMAND))
        .containsExactly("[\"encryption-preflight-kube-apiserver\"]");
  }

  private static List<String> watchesOfConfigMaps(Workload workload) {
    return Rights.of(List.of(with(workload)), Migrator.Kind.OURS).stream()
        .flatMap(one -> one.path("rules").valueStream())
        .filter(rule -> rule.path("verbs").toString().equals("[\"list\",\"watch\"]"))
        .filter(rule -> rule.path("resources").toString().equals("[\"configmaps\"]"))
        .map(rule ->
            rule.path("resourceNames").isMissingNode() ? "" : rule.path("resourceNames").toString())
        .toList();
  }

  /// The agent asks an API server of its node, and a Deployment has none there.
  @Test
  void whoRunsNothingOnNodesNeedsNoMetrics() {
    assertThat(Rights.of(List.of(with(Workload.DEPLOYMENT)), Migrator.Kind.OURS))
        .noneMatch(one -> one.toString().contains("/metrics"));
    assertThat(Rights.of(List.of(with(Workload.DEPLOYMENT), DEFAULT), Migrator.Kind.OURS))
        .anyMatch(one -> one.toString().contains("/metrics"));
  }

  private static Component with(Workload workload) {
    return new Component(
        DEFAULT.name(),
        DEFAULT.namespace(),
        DEFAULT.operatorResource(),
        workload,
        DEFAULT.resources(),
        DEFAULT.nodes());
  }
}
