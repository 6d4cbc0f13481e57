package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.EncryptionStatusCodec;
import io.keyward.core.model.Condition;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.KekId;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.Problem;
import io.keyward.core.model.RemovedNode;
import io.keyward.core.model.Revisions;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.core.rollout.KnownRevisions.Claim;
import io.keyward.core.rollout.OneLine;
import io.keyward.core.rollout.Pod;
import io.keyward.core.rollout.RolloutBlocker;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/// What stands in the status of the operator's resource. What cannot be read counts as absent, and
/// is told where somebody may miss it.
final class StatusReader {
  /// What the operator writes of a node that left.
  static final String ASKED = "askedTime";

  static final String ANSWERED = "answered";

  private StatusReader() {}

  static Optional<Instant> time(String text) {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  static List<Condition> conditions(JsonNode operator) {
    var read = new ArrayList<Condition>();
    for (JsonNode one : operator.at("/status/conditions")) {
      var status =
          switch (one.path("status").asText("")) {
            case "True" -> Condition.Status.TRUE;
            case "False" -> Condition.Status.FALSE;
            default -> Condition.Status.UNKNOWN;
          };
      read.add(
          new Condition(
              one.path("type").asText(""),
              status,
              one.path("reason").asText(""),
              one.path("message").asText(""),
              time(one.path("lastTransitionTime").asText("")).orElse(Instant.EPOCH)));
    }
    return List.copyOf(read);
  }

  static Optional<KekId> kek(JsonNode holder) {
    String id = holder.path("remoteKeyID").asText("");
    return id.isEmpty() || id.length() > KekId.MAX_LENGTH
        ? Optional.empty()
        : Optional.of(new KekId(id));
  }

  private static Optional<Fingerprint> hash(JsonNode holder, String member) {
    String text = holder.path(member).asText("");
    return text.length() == 8 ? Optional.of(new Fingerprint(text)) : Optional.empty();
  }

  static PreflightState preflight(JsonNode status, Optional<PreflightState.Run> run) {
    JsonNode preflight = status.at("/encryptionStatus/preflight");
    JsonNode result = preflight.path("result");
    Optional<PreflightState.Result> last =
        hash(result, "configHash")
            .map(config ->
                new PreflightState.Result(
                    result.path("status").asText("").equals("Succeeded"),
                    config,
                    kek(result),
                    time(result.path("time").asText("")),
                    result.path("attempt").asInt(1),
                    result.path("detail").asText("")));
    return new PreflightState(hash(preflight, "observedConfigHash"), last, run);
  }

  /// What monitors said, and what of it nobody understands.
  record Reports(List<HealthReport> read, List<Problem> unreadable) {
    Reports {
      read = List.copyOf(read);
      unreadable = List.copyOf(unreadable);
    }
  }

  static Reports reports(JsonNode status, Sightings sightings, Instant now) {
    var reports = new ArrayList<HealthReport>();
    var unreadable = new ArrayList<Problem>();
    for (JsonNode one : status.at("/encryptionStatus/healthReports")) {
      switch (EncryptionStatusCodec.decodeReport(one.toString())) {
        case Decoded.Good<HealthReport>(var report) -> reports.add(sightings.complete(report, now));
        case Decoded.Bad<HealthReport>(var problem) -> unreadable.add(problem);
      }
    }
    return new Reports(reports, unreadable);
  }

  /// What agents said last is not all: whoever does not answer is not ready.
  ///
  /// @param silent who does not, since when
  static List<Revisions.Node> nodes(
      JsonNode status, SortedSet<String> expected, SortedMap<String, String> silent) {
    var nodes = new ArrayList<Revisions.Node>();
    for (String name : expected) {
      JsonNode one = node(status, name);
      nodes.add(
          new Revisions.Node(
              name,
              one.path("currentRevision").asLong(0),
              one.path("targetRevision").asLong(0),
              one.path("lastFailedRevision").asLong(0),
              one.path("ready").asBoolean(false) && !silent.containsKey(name),
              failure(one),
              Optional.ofNullable(silent.get(name))));
    }
    return List.copyOf(nodes);
  }

  /// Anybody who may write a status may have written this.
  private static String failure(JsonNode node) {
    return OneLine.of(node.path("lastFailedRevisionErrors").path(0).asText(""));
  }

  /// What keeps nodes from revisions, and who must not be forgotten yet.
  static List<RolloutBlocker> hindrances(
      JsonNode status,
      SortedSet<String> expected,
      SortedMap<String, String> silent,
      KnownRevisions known) {
    var all = new ArrayList<RolloutBlocker>();
    for (String name : expected) {
      existing(node(status, name), name).ifPresent(all::add);
    }
    claims(status, expected).stream()
        .flatMap(claim -> known.unknown(claim).stream())
        .forEach(all::add);
    nodes(status, expected, silent).stream()
        .flatMap(node -> RolloutBlocker.of(node).stream())
        .forEach(all::add);
    left(status, expected).stream().map(RolloutBlocker::of).forEach(all::add);
    return List.copyOf(all);
  }

  private static Optional<RolloutBlocker> existing(JsonNode node, String name) {
    String what = node.path(StatusBody.EXISTING).asText("");
    return what.isEmpty()
        ? Optional.empty()
        : Optional.of(new RolloutBlocker.Existing("node", name, what));
  }

  /// What nodes run, and what is in their files. The number alone says what runs: only the files
  /// can be compared.
  static List<Claim> claims(JsonNode status, SortedSet<String> expected) {
    var claims = new ArrayList<Claim>();
    for (String name : expected) {
      JsonNode one = node(status, name);
      String digest = one.path(StatusBody.INSTALLED_DIGEST).asText("");
      claims.add(
          new Claim(
              "node",
              name,
              one.path(StatusBody.INSTALLED).asLong(0),
              digest.isEmpty() ? Optional.empty() : Optional.of(digest)));
      claims.add(new Claim("node", name, one.path("currentRevision").asLong(0), Optional.empty()));
    }
    return List.copyOf(claims);
  }

  /// Of whom something is told, and who is not expected.
  static List<RemovedNode> left(JsonNode status, SortedSet<String> expected) {
    var left = new ArrayList<RemovedNode>();
    for (JsonNode one : status.path("nodeStatuses")) {
      String name = one.path("nodeName").asText("");
      if (!expected.contains(name)) {
        left.add(
            new RemovedNode(
                name,
                // An agent says so whatever else it says.
                one.has("currentRevision") || one.has("ready"),
                time(one.path(ASKED).asText("")),
                one.path(ANSWERED).asBoolean(false)));
      }
    }
    return List.copyOf(left);
  }

  private static JsonNode node(JsonNode status, String name) {
    for (JsonNode one : status.path("nodeStatuses")) {
      if (one.path("nodeName").asText("").equals(name)) {
        return one;
      }
    }
    return Api.JSON.createObjectNode();
  }

  /// Nodes stand in for pods: their agents say the same of an API server as a pod would.
  static List<Pod> pods(JsonNode status, SortedSet<String> expected) {
    var pods = new ArrayList<Pod>();
    for (String name : expected) {
      JsonNode one = node(status, name);
      Optional<Instant> started = time(one.path("startedTime").asText(""));
      started.ifPresent(at ->
          pods.add(
              new Pod(
                  name,
                  name,
                  Pod.Phase.RUNNING,
                  one.path("ready").asBoolean(false),
                  Long.toString(one.path("currentRevision").asLong(0)),
                  at)));
    }
    return List.copyOf(pods);
  }
}
