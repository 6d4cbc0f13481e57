package io.keyward.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.Labels;
import io.keyward.core.model.Settings;
import io.keyward.core.view.SiteView;
import io.keyward.engine.Engine;
import io.keyward.engine.SiteId;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.install.Installer;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import io.keyward.testbed.process.Waiting;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// A real operator on a real API server, and what an administrator sees of it.
public final class OperatedCluster implements AutoCloseable, TurnObserver {
  static final String MANAGED = "/api/v1/namespaces/openshift-config-managed/secrets";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Api admin;
  private final Component component;
  private final Migrator migrator;
  private final Engine loop;
  private final AtomicInteger turns = new AtomicInteger();

  public OperatedCluster(Api admin, Component component) {
    this.admin = admin;
    this.component = component;
    InstantSource clock = InstantSource.system();
    new Installer(admin).install(List.of(component), Migrator.Kind.OURS);
    this.migrator = Migrator.of(Migrator.Kind.OURS, admin, clock, _ -> {});
    var site =
        new KubeSite(
            admin,
            component,
            Settings.DEFAULT,
            clock,
            migrator,
            FeatureGates.DEFAULT,
            KubeSite.Access.ACTS);
    this.loop = Engine.of(List.of(site), this);
  }

  @Override
  public void turned(SiteId site, SiteView seen, Set<String> failed) {
    turns.incrementAndGet();
  }

  @Override
  public void noTurn(SiteId site) {}

  @Override
  public void removed(SiteId site) {}

  public void encrypt(String type) {
    ObjectNode patch = JSON.createObjectNode();
    patch.putObject("spec").putObject("encryption").put("type", type);
    admin.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", patch);
  }

  /// Another key.
  void rotate(String reason) {
    ObjectNode patch = JSON.createObjectNode();
    patch.withObject("/spec/unsupportedConfigOverrides/encryption").put("reason", reason);
    admin.mergePatch(component.operatorPath(), patch);
  }

  /// The operator had time for whatever it would do now.
  public void awaitTurns() {
    int before = turns.get();
    await("turns", () -> turns.get() > before + 5);
  }

  public void await(String what, BooleanSupplier wanted) {
    assertThat(
            Waiting.until(
                () -> {
                  loop.wakeAll();
                  return wanted.getAsBoolean();
                },
                PATIENCE))
        .as(what)
        .isTrue();
  }

  public void awaitCondition(String type, String... words) {
    var last = new AtomicReference<>("");
    Predicate<String> complete = text -> List.of(words).stream().allMatch(text::contains);
    assertThat(
            Waiting.until(
                () -> {
                  loop.wakeAll();
                  last.set(condition(type));
                  return complete.test(last.get());
                },
                PATIENCE))
        .as(last.get())
        .isTrue();
  }

  /// Status, reason and message.
  String condition(String type) {
    for (JsonNode one : resource().at("/status/conditions")) {
      if (one.path("type").asText().equals(type)) {
        return one.path("status").asText()
            + " "
            + one.path("reason").asText()
            + " "
            + one.path("message").asText();
      }
    }
    return "";
  }

  public JsonNode node(String name) {
    for (JsonNode one : resource().at("/status/nodeStatuses")) {
      if (one.path("nodeName").asText().equals(name)) {
        return one;
      }
    }
    return JSON.createObjectNode();
  }

  public long latest() {
    return resource().at("/status/latestAvailableRevision").asLong(0);
  }

  public JsonNode resource() {
    return admin.get(component.operatorPath()).orElseThrow();
  }

  /// Names of the Secrets with keys and the configuration.
  public Set<String> stored() {
    var names = new TreeSet<String>();
    admin.list(MANAGED, Labels.ANY).stream()
        .map(one -> one.at("/metadata/name").asText())
        .filter(name -> name.startsWith("encryption-"))
        .forEach(names::add);
    return names;
  }

  @Override
  public void close() {
    loop.close();
    migrator.close();
  }
}
