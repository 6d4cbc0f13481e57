package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.turn.Turn;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.migrate.Migrator;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.SharedControlPlane;
import io.keyward.testbed.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A Deployment on a real API server whose template has an encryption configuration already.
public final class ExistingTemplateIT {
  private static final Component COMPONENT =
      new Component(
          "openshift-apiserver",
          "kube-system",
          "openshiftapiservers",
          Workload.DEPLOYMENT,
          new TreeSet<>(List.of(new Resource("", "limitranges"))),
          new TreeSet<>());

  @Test
  void isRefusedUntilTheFlagIsGone(@TempDir Path home) {
    InstantSource clock = InstantSource.system();
    ControlPlane plane = SharedControlPlane.cleared();
    try (var api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
        var migrator = Migrator.of(Migrator.Kind.OURS, api, clock, _ -> {})) {
      new Installer(api).install(List.of(COMPONENT), Migrator.Kind.OURS);
      ObjectNode wish = Api.JSON.createObjectNode();
      wish.putObject("spec").putObject("encryption").put("type", "aescbc");
      api.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", wish);
      String path = "/apis/apps/v1/namespaces/kube-system/deployments";
      // As two words, which is as good for an API server.
      api.create(path, deployment("--encryption-provider-config", "/etc/enc.yaml"));
      var site =
          new KubeSite(
              api,
              COMPONENT,
              Settings.DEFAULT,
              clock,
              migrator,
              FeatureGates.DEFAULT,
              KubeSite.Access.ACTS);
      try (var _ = new FakeInstances(api, List.of(COMPONENT))) {
        assertThat(Waiting.until(() -> hasReadyPod(api), Duration.ofSeconds(60))).isTrue();
        assertThat(site.observe().state().rollout())
            .isInstanceOfSatisfying(
                Rollout.Unknown.class,
                unknown -> {
                  assertThat(unknown.blocker()).isEqualTo(Blocker.EXISTING_ENCRYPTION);
                  assertThat(unknown.problem())
                      .startsWith(
                          "Deployment openshift-apiserver has an encryption configuration that"
                              + " Keyward did not create: its pod template sets"
                              + " --encryption-provider-config to /etc/enc.yaml");
                });
        assertThat(Turn.plan(site.observe().state()).key()).isInstanceOf(KeyDecision.Refuse.class);

        ObjectNode now = api.get(path + "/openshift-apiserver").orElseThrow();
        now.set("spec", deployment("--v", "1").path("spec"));
        api.replace(path + "/openshift-apiserver", now);
        assertThat(
                Waiting.until(
                    () -> Turn.plan(site.observe().state()).key() instanceof KeyDecision.Mint,
                    Duration.ofSeconds(60)))
            .isTrue();
      }
    }
  }

  private static boolean hasReadyPod(Api api) {
    return api.get(COMPONENT.pods() + "/pod")
        .filter(pod -> pod.at("/status/phase").asText().equals("Running"))
        .isPresent();
  }

  private static ObjectNode deployment(String... arguments) {
    ObjectNode json =
        Api.JSON.createObjectNode().put("apiVersion", "apps/v1").put("kind", "Deployment");
    json.putObject("metadata").put("name", "openshift-apiserver");
    ObjectNode spec = json.putObject("spec").put("replicas", 1);
    spec.putObject("selector").putObject("matchLabels").put("app", "x");
    ObjectNode template = spec.putObject("template");
    template.putObject("metadata").putObject("labels").put("app", "x");
    ObjectNode container =
        template.putObject("spec").putArray("containers").addObject().put("name", "x");
    var args = container.put("image", "x").putArray("args");
    List.of(arguments).forEach(args::add);
    return json;
  }
}
