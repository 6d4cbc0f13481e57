package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.Component;

/// The part of the operator resource's status that belongs to one API server.
final class StatusBody {
  static final ObjectMapper JSON = new ObjectMapper();

  private final Component component;

  StatusBody(Component component) {
    this.component = component;
  }

  ObjectNode fresh() {
    ObjectNode body = JSON.createObjectNode();
    body.put("apiVersion", "operator.openshift.io/v1").put("kind", component.kind());
    body.putObject("metadata").put("name", "cluster");
    return body;
  }

  ObjectNode part(ObjectNode body) {
    ObjectNode status = body.withObject("/status");
    return component.statusMember().isEmpty()
        ? status
        : status.withObject("/" + component.statusMember());
  }

  JsonNode read(JsonNode operator) {
    JsonNode status = operator.path("status");
    return component.statusMember().isEmpty() ? status : status.path(component.statusMember());
  }
}
