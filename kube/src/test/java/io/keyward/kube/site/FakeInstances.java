package io.keyward.kube.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ContentDigest;
import io.keyward.codec.status.NodeStatus;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.component.Component;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Plays the instances of API servers: for each Deployment a pod of the present template that is
/// ready at once, and for each node one that runs what it is told. Nothing runs.
public final class FakeInstances implements AutoCloseable {
  private final Api api;
  private final List<Component> components;
  private final Thread thread;

  FakeInstances(Api api, List<Component> components) {
    this.api = api;
    this.components = components;
    this.thread = Thread.ofVirtual().start(this::run);
  }

  private void run() {
    try {
      while (true) {
        for (Component one : components) {
          play(one);
        }
        Thread.sleep(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void play(Component component) {
    if (component.isOnNodes()) {
      playNode(component);
    }
    component.deployment().ifPresent(name -> playDeployment(component, name));
  }

  private void playNode(Component component) {
    String name = component.nodes().first();
    try {
      var seen = component.status().read(api.get(component.operatorPath()).orElseThrow());
      var runs =
          NodeStatus.report(
              name,
              true,
              seen.node(name).map(NodeStatus::target).orElse(0L),
              Optional.of(Instant.parse("2026-01-02T03:04:05Z")),
              Optional.empty(),
              Optional.empty(),
              0,
              Optional.empty());
      api.apply(component.operatorPath() + "/status", "node", component.status().report(runs));
    } catch (Conflict | ClusterFailure _) {
      // The next round sees what is there then.
      return;
    }
  }

  private void playDeployment(Component component, String name) {
    try {
      ObjectNode deployment = api.get(component.deploymentPath(name)).orElseThrow();
      JsonNode template = deployment.at("/spec/template");
      String pod = component.pods() + "/pod";
      var now = api.get(pod);
      String wanted = ContentDigest.of(template.toString());
      if (now.filter(one -> one.at("/metadata/annotations/of").asText().equals(wanted)).isEmpty()) {
        var _ =
            api.client()
                .pods()
                .inNamespace(component.namespace())
                .withName("pod")
                .withGracePeriod(0)
                .delete();
        create(component, template, wanted);
      }
    } catch (Conflict | ClusterFailure _) {
      // The next round sees what is there then.
      return;
    }
  }

  private void create(Component component, JsonNode template, String digest) {
    ObjectNode pod = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", "pod").putObject("annotations").put("of", digest);
    pod.withObject("/metadata").set("labels", template.at("/metadata/labels"));
    pod.set("spec", template.path("spec").deepCopy());
    pod.withObject("/spec").put("nodeName", "a");
    api.create(component.pods(), pod);
    ObjectNode status = Api.JSON.createObjectNode();
    ObjectNode body = status.putObject("status").put("phase", "Running");
    body.put("startTime", "2026-01-02T03:04:05Z");
    body.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
    api.mergePatch(component.pods() + "/pod/status", status);
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
