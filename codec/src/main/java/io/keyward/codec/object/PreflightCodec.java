package io.keyward.codec.object;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Times;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState.Phase;
import io.keyward.core.model.kms.PreflightState.Run;
import io.keyward.core.preflight.NodeAnswers;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// A preflight on every node: a ConfigMap that asks, and one entry for each node that answered.
public final class PreflightCodec {
  /// Of which API server it is.
  private static final String LABEL = "keyward.io/preflight-of";

  private static final String CONFIG = "config";
  private static final String ENDPOINT = "endpoint";
  private static final String NODE = "node.";
  private static final String STARTED = "startedTime";
  private static final String ATTEMPT = "attempt";

  private static final ObjectMapper JSON = new ObjectMapper();

  private PreflightCodec() {}

  /// What a node answers.
  public static String answer(boolean passed, String keyId, String detail) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("passed", passed);
    return json.put("remoteKeyID", keyId).put("detail", detail).toString();
  }

  /// A ConfigMap that asks every node to try a configuration.
  public static ObjectNode ask(
      String name,
      String component,
      Fingerprint config,
      String endpoint,
      int attempt,
      Instant now) {
    ObjectNode ask = ObjectMeta.fresh("v1", "ConfigMap", name);
    ask.withObject("/metadata").putObject("labels").put(LABEL, component);
    ask.putObject("data")
        .put(CONFIG, config.value())
        .put(ENDPOINT, endpoint)
        .put(ATTEMPT, Integer.toString(attempt))
        .put(STARTED, Times.seconds(now));
    return ask;
  }

  /// The socket that a node has to try; empty where it has answered.
  public static Optional<String> endpoint(JsonNode asked, String node) {
    return ObjectMeta.data(asked).has(NODE + node)
        ? Optional.empty()
        : Optional.of(ObjectMeta.data(asked, ENDPOINT));
  }

  /// A patch with the answer of a node, for this very object and not for one that replaced it.
  public static ObjectNode answered(JsonNode asked, String node, String answer) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", ObjectMeta.uid(asked));
    body.putObject("data").put(NODE + node, answer);
    return body;
  }

  /// Whether a ConfigMap of that name was created by Keyward. Another one is left alone by all.
  public static boolean isOurs(JsonNode configMap) {
    return configMap.at("/metadata/labels").has(LABEL);
  }

  /// How far it is.
  ///
  /// @param configMap one of ours
  public static Optional<Run> run(Optional<ObjectNode> configMap, SortedSet<String> nodes) {
    return configMap.map(found -> {
      JsonNode data = found.path("data");
      String config = data.path(CONFIG).asText("");
      var answers = new NodeAnswers(nodes, answers(data, nodes));
      Optional<Instant> started = Times.parse(data.path(STARTED).asText(""));
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
                KekId.parse(answer.path("remoteKeyID").asText("")),
                answer.path("detail").asText("")));
      }
    }
    return answers;
  }

  private static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException _) {
      return MissingNode.getInstance();
    }
  }
}
