package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The part of the operator resource's status that belongs to one API server.
public final class StatusBody {
  /// What a node agent writes of the files of its node: an encryption configuration that Keyward
  /// did not create, without anything secret; and the revision in its files, with the SHA-256 of
  /// its configuration.
  public static final String EXISTING = "existingEncryption";

  public static final String INSTALLED = "installedRevision";
  public static final String INSTALLED_DIGEST = "installedDigest";

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
