package io.keyward.kube.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.core.model.Resource;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.Migrator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public final class InstallPlanTest {
  private static InstallPlan plan(Workload workload, String operatorResource) {
    var component =
        new Component(
            "kube-apiserver",
            "keyward-revisions",
            operatorResource,
            workload,
            new TreeSet<>(List.of(new Resource("", "secrets"))),
            new TreeSet<>());
    return InstallPlan.of(
        List.of(component), Migrator.Kind.OURS, Optional.of(deployed("https://api:6443")));
  }

  private static Deployed deployed(String server) {
    return new Deployed(
        "localhost/keyward:1", "1", "apiServers: []\n", 2, server, List.of("/var/run/kmsplugin"));
  }

  private static List<String> names(InstallPlan plan) {
    return plan.parts().stream().map(InstallPlan.Part::name).toList();
  }

  @Test
  void aClusterOfKubeadmGetsEverythingThatRuns() {
    assertThat(names(plan(Workload.KUBEADM, "clusterencryptions")))
        .contains(
            "customresourcedefinition.apiextensions.k8s.io/clusterencryptions.keyward.io",
            "namespace/keyward-system",
            "namespace/keyward-revisions",
            "clusterencryption.keyward.io/cluster",
            "deployment.apps/keyward-operator",
            "poddisruptionbudget.policy/keyward-operator",
            "networkpolicy.networking.k8s.io/keyward-operator",
            "daemonset.apps/keyward-node-setup",
            "validatingadmissionpolicy.admissionregistration.k8s.io/keyward-node-agent",
            "validatingadmissionpolicy.admissionregistration.k8s.io/keyward-node-preflight",
            "validatingadmissionpolicy.admissionregistration.k8s.io/keyward-migrator",
            "serviceaccount/keyward-migrator",
            "role.rbac.authorization.k8s.io/keyward-node-revisions")
        .noneMatch(name -> name.contains("openshift"))
        .doesNotContain("serviceaccount/keyward-node-agent");
  }

  @Test
  void withoutKubeadmNodeAgentsAreStartedOtherwise() {
    assertThat(names(plan(Workload.RESTART_COMMAND, "clusterencryptions")))
        .contains("deployment.apps/keyward-operator", "serviceaccount/keyward-node-agent")
        .doesNotContain("daemonset.apps/keyward-node-setup");
  }

  /// Both objects belong to the administrator.
  @Test
  void requestsAreNeverReplaced() {
    assertThat(plan(Workload.KUBEADM, "clusterencryptions").parts())
        .filteredOn(part -> part.mode() == InstallPlan.Mode.KEEP)
        .extracting(InstallPlan.Part::name)
        .contains("clusterencryption.keyward.io/cluster", "namespace/keyward-system");
  }

  /// A role of install time would name all revisions or none.
  @Test
  void theOperatorAloneSaysWhichRevisionsAgentsRead() {
    assertThat(plan(Workload.KUBEADM, "clusterencryptions").parts())
        .map(InstallPlan.Part::object)
        .filteredOn(one -> one.at("/metadata/name").asText().startsWith("keyward-node"))
        .filteredOn(one -> one.path("kind").asText().equals("Role"))
        .hasSize(2)
        .noneMatch(one -> one.toString().contains("secrets"));
  }

  @Test
  void thePolicyOfTheMigratorCoversWhatItMayUpdate() {
    assertThat(plan(Workload.KUBEADM, "clusterencryptions").parts())
        .filteredOn(
            part -> part.name().endsWith("policy.admissionregistration.k8s.io/keyward-migrator"))
        .singleElement()
        .satisfies(part -> {
          assertThat(part.mode()).isEqualTo(InstallPlan.Mode.APPLY_IF_SERVED);
          JsonNode spec = part.object().path("spec");
          assertThat(spec.at("/matchConstraints/resourceRules").toString())
              .isEqualTo(
                  "[{\"apiGroups\":[\"\"],\"apiVersions\":[\"*\"],\"operations\":[\"UPDATE\"],"
                      + "\"resources\":[\"secrets\"]}]");
          assertThat(spec.at("/matchConditions/0/expression").asText())
              .contains("'system:serviceaccount:keyward-system:keyward-migrator'");
          assertThat(spec.path("failurePolicy").asText()).isEqualTo("Fail");
        });
  }

  /// kubeadm's configuration is the only object of kube-system, and no Secret of it is read.
  @Test
  void theOperatorMayDoNothingElseInKubeSystem() {
    assertThat(plan(Workload.KUBEADM, "clusterencryptions").parts())
        .map(InstallPlan.Part::object)
        .filteredOn(one -> one.at("/metadata/namespace").asText().equals("kube-system"))
        .filteredOn(one -> one.path("kind").asText().equals("Role"))
        .singleElement()
        .satisfies(role ->
            assertThat(role.path("rules").valueStream().map(JsonNode::toString))
                .singleElement()
                .asString()
                .contains("\"kubeadm-config\"")
                .doesNotContain("secrets"));
  }

  @ParameterizedTest
  @CsvSource({
    "'localhost/x:1\n  evil: true', https://a",
    "localhost/x:1, http://a",
    "localhost/x:1, 'https://a\n  evil: true'"
  })
  void textsThatAreNoNamesAreRefused(String image, String server) {
    assertThatThrownBy(() -> new Deployed(image, "1", "", 2, server, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
