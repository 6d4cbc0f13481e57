package io.keyward.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.KekId;
import io.keyward.core.model.PreflightState.Phase;
import io.keyward.core.model.PreflightState.Report;
import io.keyward.core.model.PreflightState.Run;
import java.util.HashSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// A preflight on every node: a ConfigMap that asks, and one entry for each node that answered.
///
/// It passes only where every node reached a healthy plugin and all saw the same `key_id`.
public final class PreflightRecord {
  public static final String CONFIG = "config";
  public static final String ENDPOINT = "endpoint";
  public static final String NODE = "node.";
  static final String STARTED = "startedTime";
  static final String ATTEMPT = "attempt";

  private PreflightRecord() {}

  /// What a node answers.
  public static String answer(boolean passed, String keyId, String detail) {
    ObjectNode json = Api.JSON.createObjectNode().put("passed", passed);
    return json.put("remoteKeyID", keyId).put("detail", detail).toString();
  }

  static Optional<Run> run(Optional<ObjectNode> configMap, SortedSet<String> nodes) {
    return configMap.map(found -> {
      JsonNode data = found.path("data");
      String config = data.path(CONFIG).asText("");
      var silent = new TreeSet<String>();
      Optional<Report> report = report(data, nodes, silent);
      return new Run(
          config.length() == 8 ? Optional.of(new Fingerprint(config)) : Optional.empty(),
          Phase.RUNNING,
          StatusReader.time(data.path(STARTED).asText("")),
          report,
          silent.isEmpty()
              ? Optional.empty()
              : Optional.of("no answer from the node agent on " + String.join(", ", silent)));
    });
  }

  private static Optional<Report> report(
      JsonNode data, SortedSet<String> nodes, SortedSet<String> silent) {
    var keks = new HashSet<KekId>();
    for (String node : nodes) {
      JsonNode answer = parse(data.path(NODE + node).asText(""));
      if (answer.isMissingNode()) {
        silent.add(node);
      } else if (!answer.path("passed").asBoolean(false)) {
        return Optional.of(
            new Report(
                false,
                StatusReader.kek(answer),
                "on node " + node + ": " + answer.path("detail").asText("it failed")));
      } else {
        StatusReader.kek(answer).ifPresent(keks::add);
      }
    }
    if (!silent.isEmpty() || nodes.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        keks.size() == 1
            ? new Report(true, keks.stream().findFirst(), "")
            : new Report(
                false, Optional.empty(), "the plugins of the nodes report different key_ids"));
  }

  private static JsonNode parse(String text) {
    try {
      return Api.JSON.readTree(text);
    } catch (JsonProcessingException _) {
      return MissingNode.getInstance();
    }
  }
}
