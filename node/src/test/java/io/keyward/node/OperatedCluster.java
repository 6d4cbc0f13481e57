package io.keyward.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Settings;
import io.keyward.kube.Api;
import io.keyward.kube.Component;
import io.keyward.kube.FeatureGates;
import io.keyward.kube.Installer;
import io.keyward.kube.KubeSite;
import io.keyward.kube.Migrator;
import io.keyward.operator.ControlLoop;
import io.keyward.operator.TurnObserver;
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
final class OperatedCluster implements AutoCloseable, TurnObserver {
  static final String MANAGED = "/api/v1/namespaces/openshift-config-managed/secrets";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Api admin;
  private final Component component;
  private final Migrator migrator;
  private final ControlLoop loop;
  private final AtomicInteger turns = new AtomicInteger();

  OperatedCluster(Api admin, Component component) {
    this.admin = admin;
    this.component = component;
    InstantSource clock = InstantSource.system();
    new Installer(admin).install(List.of(component), Migrator.Kind.OURS);
    this.migrator = Migrator.of(Migrator.Kind.OURS, admin, clock, () -> {});
    var site =
        new KubeSite(
            admin,
            component,
            Settings.DEFAULT,
            clock,
            migrator,
            FeatureGates.DEFAULT,
            KubeSite.Access.ACTS);
    this.loop = new ControlLoop(List.of(site), this);
    loop.start();
  }

  @Override
  public void turned(String component, ObservedState seen, Set<String> failed) {
    turns.incrementAndGet();
  }

  @Override
  public void noTurn(String component) {}

  void encrypt(String type) {
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
  void awaitTurns() {
    int before = turns.get();
    await("turns", () -> turns.get() > before + 5);
  }

  void await(String what, BooleanSupplier wanted) {
    assertThat(
            Waiting.until(
                () -> {
                  loop.wake();
                  return wanted.getAsBoolean();
                },
                PATIENCE))
        .as(what)
        .isTrue();
  }

  void awaitCondition(String type, String... words) {
    var last = new AtomicReference<>("");
    Predicate<String> complete = text -> List.of(words).stream().allMatch(text::contains);
    assertThat(
            Waiting.until(
                () -> {
                  loop.wake();
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

  JsonNode node(String name) {
    for (JsonNode one : resource().at("/status/nodeStatuses")) {
      if (one.path("nodeName").asText().equals(name)) {
        return one;
      }
    }
    return JSON.createObjectNode();
  }

  long latest() {
    return resource().at("/status/latestAvailableRevision").asLong(0);
  }

  JsonNode resource() {
    return admin.get(component.operatorPath()).orElseThrow();
  }

  /// Names of the Secrets with keys and the configuration.
  Set<String> stored() {
    var names = new TreeSet<String>();
    admin.list(MANAGED).stream()
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
