package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.view.SiteView;
import io.keyward.engine.Engine;
import io.keyward.engine.Rhythm;
import io.keyward.engine.SiteId;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.migrate.Migrator;
import io.keyward.testbed.SharedControlPlane;
import io.keyward.testbed.process.Waiting;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// An encrypted API server of which nobody wants anything costs the cluster no requests beside
/// watches and the lease, and a change is still noticed at once.
public final class AtRestIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String APISERVER = "/apis/config.openshift.io/v1/apiservers/cluster";
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(new Resource("", "limitranges"))),
          new TreeSet<>(List.of("a")));

  /// Looks often, so that many looks fit into a test.
  private static final Rhythm OFTEN =
      new Rhythm(
          Duration.ofMillis(50),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          Duration.ofHours(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30));

  private final AtomicInteger turns = new AtomicInteger();

  @Test
  void manyLooksSendNoRequest() {
    var kubeconfig = SharedControlPlane.cleared().kubeconfig(0);
    InstantSource clock = InstantSource.system();
    try (var admin = Api.connect(Optional.of(kubeconfig), Optional.empty());
        var api = Api.connect(Optional.of(kubeconfig), Optional.empty());
        var engine = new Engine(observer(), OFTEN)) {
      new Installer(admin).install(List.of(COMPONENT), Migrator.Kind.OURS);
      Consumer<Component> wake = one -> engine.wake(SiteId.of(one.name()));
      try (var _ = new FakeInstances(admin, List.of(COMPONENT));
          var migrator = Migrator.of(Migrator.Kind.OURS, api, clock, wake);
          var watches = new Watches(api, List.of(COMPONENT), Migrator.Kind.OURS, wake::accept)) {
        engine.add(
            new KubeSite(
                    api,
                    COMPONENT,
                    Settings.DEFAULT,
                    clock,
                    migrator,
                    FeatureGates.DEFAULT,
                    KubeSite.Access.ACTS)
                .withCaches(watches));
        encrypt(admin, "aescbc");
        await(() -> isEncrypted(admin, "True"), admin);
        assertThat(watches.problems()).isEmpty();
        await(() -> restsForTenLooks(api), admin);

        encrypt(admin, "identity");
        await(() -> isEncrypted(admin, "False"), admin);
        engine.remove(SiteId.of(COMPONENT.name()));
      }
    }
  }

  /// Ten looks one after the other without a request.
  private boolean restsForTenLooks(Api api) {
    long sent = api.sent();
    int before = turns.get();
    return Waiting.until(() -> turns.get() >= before + 10, PATIENCE) && api.sent() == sent;
  }

  private TurnObserver observer() {
    return new TurnObserver() {
      @Override
      public void turned(SiteId site, SiteView seen, Set<String> failed) {
        turns.incrementAndGet();
      }

      @Override
      public void noTurn(SiteId site) {}

      @Override
      public void removed(SiteId site) {}
    };
  }

  private static void encrypt(Api admin, String type) {
    ObjectNode patch = Api.JSON.createObjectNode();
    patch.putObject("spec").putObject("encryption").put("type", type);
    admin.mergePatch(APISERVER, patch);
  }

  private static boolean isEncrypted(Api admin, String status) {
    return admin
        .get(COMPONENT.operatorPath())
        .orElseThrow()
        .at("/status/conditions")
        .toString()
        .matches(".*\"status\":\"" + status + "\",\"type\":\"Encrypted\".*");
  }

  private static void await(BooleanSupplier wanted, Api admin) {
    assertThat(Waiting.until(wanted, PATIENCE))
        .as(() -> admin.get(COMPONENT.operatorPath()).orElseThrow().toPrettyString())
        .isTrue();
  }
}
