package io.keyward.codec.pod;

import com.fasterxml.jackson.databind.JsonNode;

/// How far a pod that runs once has come.
public enum PodPhase {
  RUNNING,
  SUCCEEDED,
  FAILED;

  public static PodPhase of(JsonNode pod) {
    return switch (pod.path("status").path("phase").asText("")) {
      case "Succeeded" -> SUCCEEDED;
      case "Failed" -> FAILED;
      default -> RUNNING;
    };
  }
}
