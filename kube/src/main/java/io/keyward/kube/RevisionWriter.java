package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.SecretObject;
import io.keyward.operator.RolloutDecision;
import io.keyward.operator.RolloutView;
import java.util.Optional;
import java.util.SortedSet;

/// The revisions of one API server and the nodes on their way to them.
final class RevisionWriter {
  private final Api api;
  private final Component component;
  private final StatusWriter status;
  private final Optional<ObjectNode> newest;
  private final SortedSet<String> nodes;

  RevisionWriter(
      Api api,
      Component component,
      StatusWriter status,
      Optional<ObjectNode> newest,
      SortedSet<String> nodes) {
    this.api = api;
    this.component = component;
    this.status = status;
    this.newest = newest;
    this.nodes = nodes;
  }

  RolloutView view(Optional<ObjectNode> published) {
    JsonNode now = status.now();
    return new RolloutView(
        published.map(RevisionWriter::content),
        now.path("latestAvailableRevision").asLong(0),
        newest.map(RevisionWriter::content),
        StatusReader.nodes(now, nodes));
  }

  void carryOut(RolloutDecision decision, Optional<ObjectNode> published) {
    switch (decision) {
      case RolloutDecision.Snapshot(long number) -> snapshot(number, published.orElseThrow());
      case RolloutDecision.Advance(var node, long number) ->
          status.target(node, number, view(published).nodes());
      case RolloutDecision.Nothing _, RolloutDecision.Wait _ -> {}
    }
  }

  /// Published by its number only when it is complete, so a crash leaves nothing half seen.
  private void snapshot(long number, ObjectNode source) {
    String name = component.revision(number);
    ObjectNode copy = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    copy.put("type", SecretObject.TYPE).set("data", source.path("data"));
    ObjectNode metadata = copy.putObject("metadata").put("name", name);
    metadata.putObject("labels").put("keyward.io/revision-of", component.name());
    var left = api.get(component.secrets() + "/" + name);
    if (left.isEmpty()) {
      api.create(component.secrets(), copy);
    } else if (!content(left.orElseThrow()).equals(content(source))) {
      metadata.put("resourceVersion", KubeLook.version(left.orElseThrow()));
      api.replace(component.secrets() + "/" + name, copy);
    }
    status.latest(number);
  }

  private static String content(JsonNode secret) {
    return Digest.of(secret.path("data"));
  }
}
