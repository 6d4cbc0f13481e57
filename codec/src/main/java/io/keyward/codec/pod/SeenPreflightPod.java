package io.keyward.codec.pod;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.preflight.NodeAnswers.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A pod of a preflight as it was read.
///
/// @param check the name of the container whose termination message is the result
record SeenPreflightPod(ObjectNode pod, String check) {
  /// A container that waits for one of these is only starting.
  private static final Set<String> STARTS = Set.of("", "PodInitializing", "ContainerCreating");

  private static final ObjectMapper JSON = new ObjectMapper();

  static String node(JsonNode pod) {
    return pod.at("/spec/nodeName").asText("");
  }

  /// Empty while the check is not over.
  Optional<Answer> answer() {
    JsonNode ended = MissingNode.getInstance();
    for (JsonNode one : pod.at("/status/containerStatuses")) {
      if (one.path("name").asText("").equals(check)) {
        ended = one.at("/state/terminated");
      }
    }
    Optional<Answer> result = ended.isMissingNode() ? Optional.empty() : result(ended);
    boolean isOver = pod.at("/status/phase").asText("").equals("Failed");
    return result.isPresent() || (ended.isMissingNode() && !isOver)
        ? result
        : Optional.of(new Answer(false, Optional.empty(), withoutResult(ended)));
  }

  private static Optional<Answer> result(JsonNode ended) {
    try {
      JsonNode message = JSON.readTree(ended.path("message").asText(""));
      return message.has("passed")
          ? Optional.of(
              new Answer(
                  message.path("passed").asBoolean(false),
                  KekId.parse(message.path("remoteKeyID").asText("")),
                  detail(message)))
          : Optional.empty();
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }

  /// Why it failed; what an administrator should know where it passed.
  private static String detail(JsonNode message) {
    var warnings = new ArrayList<String>();
    message.path("warnings").forEach(one -> warnings.add(one.asText("")));
    return message.path("passed").asBoolean(false)
        ? String.join("; ", warnings)
        : message.path("detail").asText("");
  }

  private String withoutResult(JsonNode ended) {
    if (!ended.isMissingNode()) {
      return "the check ended without a result: "
          + ended.path("reason").asText("unknown reason")
          + ", exit code "
          + ended.path("exitCode").asInt(-1)
          + "; see the log of pod "
          + name();
    }
    String reason = pod.at("/status/reason").asText("");
    String message = pod.at("/status/message").asText("");
    return "pod "
        + name()
        + " failed"
        + (reason.isEmpty() ? "" : ": " + reason)
        + (message.isEmpty() ? "" : ": " + message)
        + stuckOn().map(words -> "; " + words).orElse("");
  }

  private String name() {
    return pod.at("/metadata/name").asText("");
  }

  /// Why the pod does not start, if it does not.
  Optional<String> stuckOn() {
    var problems = new ArrayList<String>();
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode one : pod.path("status").path(list)) {
        waiting(one).ifPresent(problems::add);
      }
    }
    for (JsonNode one : pod.at("/status/conditions")) {
      if (one.path("type").asText("").equals("PodScheduled")
          && one.path("status").asText("").equals("False")) {
        problems.add("the pod is not scheduled: " + one.path("message").asText(""));
      }
    }
    if (problems.isEmpty() && pod.at("/status/phase").asText("Pending").equals("Pending")) {
      problems.add("the kubelet has not started pod " + name());
    }
    return problems.isEmpty() || answered()
        ? Optional.empty()
        : Optional.of("on node " + node(pod) + ": " + String.join("; ", problems));
  }

  private boolean answered() {
    for (JsonNode one : pod.at("/status/containerStatuses")) {
      if (one.path("name").asText("").equals(check) && one.path("state").has("terminated")) {
        return true;
      }
    }
    return false;
  }

  private static Optional<String> waiting(JsonNode status) {
    String reason = status.at("/state/waiting/reason").asText("");
    String message = status.at("/state/waiting/message").asText("");
    return STARTS.contains(reason)
        ? Optional.empty()
        : Optional.of(
            "container "
                + status.path("name").asText("")
                + " does not start: "
                + reason
                + (message.isEmpty() ? "" : ": " + message));
  }
}
