package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The part of the operator resource's status that belongs to one API server.
public final class StatusBody {
  private final Component component;

  public StatusBody(Component component) {
    this.component = component;
  }

  /// A body to write, with nothing in it yet.
  public ObjectNode fresh() {
    ObjectNode body = Api.JSON.createObjectNode();
    body.put("apiVersion", "operator.openshift.io/v1").put("kind", component.kind());
    body.putObject("metadata").put("name", "cluster");
    return body;
  }

  public ObjectNode part(ObjectNode body) {
    ObjectNode status = body.withObject("/status");
    return component.statusMember().isEmpty()
        ? status
        : status.withObject("/" + component.statusMember());
  }

  public JsonNode read(JsonNode operator) {
    JsonNode status = operator.path("status");
    return component.statusMember().isEmpty() ? status : status.path(component.statusMember());
  }
}
