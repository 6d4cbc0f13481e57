package io.keyward.kube.component;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Times;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;

/// Tells people what was done. Nothing depends on it, so nothing fails where it cannot be told.
public final class Events {
  private static final Logger LOG = System.getLogger(Events.class.getName());

  private final Api api;
  private final Component component;
  private final InstantSource clock;

  public Events(Api api, Component component, InstantSource clock) {
    this.api = api;
    this.component = component;
    this.clock = clock;
  }

  public void tell(String reason, String message) {
    write("Normal", reason, message, clock.instant());
  }

  public void warn(String reason, String message) {
    write("Warning", reason, message, clock.instant());
  }

  private void write(String type, String reason, String message, Instant now) {
    ObjectNode event = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Event");
    event.putObject("metadata").put("generateName", component.name() + "-encryption-");
    event
        .putObject("involvedObject")
        .put("apiVersion", component.api().group() + "/" + component.api().version())
        .put("kind", component.kind())
        .put("name", "cluster")
        .put("namespace", component.namespace());
    event.put("reason", reason).put("message", StatusWriter.bounded(message)).put("type", type);
    String time = Times.seconds(now);
    event.put("firstTimestamp", time).put("lastTimestamp", time).put("count", 1);
    event.putObject("source").put("component", component.name() + "-encryption");
    try {
      api.create("/api/v1/namespaces/" + component.namespace() + "/events", event);
    } catch (ClusterFailure | Conflict e) {
      LOG.log(Level.WARNING, "an event was not written: " + e.getMessage());
    }
  }
}
