package io.keyward.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.PreflightState.Phase;
import io.keyward.core.model.PreflightState.Run;
import io.keyward.core.preflight.NodeAnswers;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// A preflight on every node: a ConfigMap that asks, and one entry for each node that answered.
public final class PreflightRecord {
  /// Of which API server it is.
  public static final String LABEL = "keyward.io/preflight-of";

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

  /// Whether a ConfigMap of that name is one of ours. Another one is left alone by all.
  public static boolean isOurs(JsonNode configMap) {
    return configMap.at("/metadata/labels").has(LABEL);
  }

  /// How far it is.
  ///
  /// @param configMap one of ours
  static Optional<Run> run(Optional<ObjectNode> configMap, SortedSet<String> nodes) {
    return configMap.map(found -> {
      JsonNode data = found.path("data");
      String config = data.path(CONFIG).asText("");
      var answers = new NodeAnswers(nodes, answers(data, nodes));
      Optional<Instant> started = StatusReader.time(data.path(STARTED).asText(""));
      return new Run(
          config.length() == 8 ? Optional.of(new Fingerprint(config)) : Optional.empty(),
          Phase.RUNNING,
          started,
          answers.report(),
          answers.waitsFor(started));
    });
  }

  private static SortedMap<String, NodeAnswers.Answer> answers(
      JsonNode data, SortedSet<String> nodes) {
    var answers = new TreeMap<String, NodeAnswers.Answer>();
    for (String node : nodes) {
      JsonNode answer = parse(data.path(NODE + node).asText(""));
      if (!answer.isMissingNode()) {
        answers.put(
            node,
            new NodeAnswers.Answer(
                answer.path("passed").asBoolean(false),
                StatusReader.kek(answer),
                answer.path("detail").asText("")));
      }
    }
    return answers;
  }

  private static JsonNode parse(String text) {
    try {
      return Api.JSON.readTree(text);
    } catch (JsonProcessingException _) {
      return MissingNode.getInstance();
    }
  }
}
