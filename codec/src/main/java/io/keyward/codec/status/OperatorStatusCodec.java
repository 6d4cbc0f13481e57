package io.keyward.codec.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.EncryptionStatusCodec;
import io.keyward.codec.Times;
import io.keyward.core.model.Condition;
import io.keyward.core.rollout.node.NodeFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads and writes the parts of an operator resource's status. Total: a member that cannot be read
/// counts as absent, and is a problem of [OperatorStatus#encryption] where someone may miss it.
public final class OperatorStatusCodec {
  static final String NODES = "nodeStatuses";
  static final String NAME = "nodeName";
  static final String TARGET = "targetRevision";
  static final String LATEST = "latestAvailableRevision";
  private static final String READY = "ready";
  private static final String CURRENT = "currentRevision";
  private static final String STARTED = "startedTime";
  private static final String FAILED = "lastFailedRevision";
  private static final String REASON = "lastFailedReason";
  private static final String ERRORS = "lastFailedRevisionErrors";
  private static final String EXISTING = "existingEncryption";
  private static final String INSTALLED = "installedRevision";
  private static final String DIGEST = "installedDigest";
  private static final String ASKED = "askedTime";
  private static final String ANSWERED = "answered";

  private OperatorStatusCodec() {}

  /// Conditions stand in the status itself, everything else in the part of one API server.
  static OperatorStatus decode(JsonNode status, JsonNode part) {
    var nodes = new ArrayList<NodeStatus>();
    part.path(NODES).forEach(one -> nodes.add(node(one)));
    return new OperatorStatus(
        part.path(LATEST).asLong(0),
        nodes,
        EncryptionStatusCodec.decode(part.path("encryptionStatus")),
        conditions(status.path("conditions")));
  }

  private static NodeStatus node(JsonNode one) {
    long failed = one.path(FAILED).asLong(0);
    return new NodeStatus(
        one.path(NAME).asText(""),
        // An agent reports these whatever else it reports.
        one.has(CURRENT) || one.has(READY),
        one.path(READY).asBoolean(false),
        one.path(CURRENT).asLong(0),
        Times.parse(one.path(STARTED).asText("")),
        failed > 0
            ? Optional.of(
                new NodeFailure(
                    failed,
                    NodeFailure.Kind.of(one.path(REASON).asText("")),
                    one.path(ERRORS).path(0).asText("")))
            : Optional.empty(),
        text(one, EXISTING),
        one.path(INSTALLED).asLong(0),
        text(one, DIGEST),
        one.path(TARGET).asLong(0),
        Times.parse(one.path(ASKED).asText("")),
        one.path(ANSWERED).asBoolean(false));
  }

  private static Optional<String> text(JsonNode one, String member) {
    String text = one.path(member).asText("");
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static List<Condition> conditions(JsonNode list) {
    var read = new ArrayList<Condition>();
    for (JsonNode one : list) {
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
              Times.parse(one.path("lastTransitionTime").asText("")).orElse(Instant.EPOCH)));
    }
    return read;
  }

  /// The members that an agent owns. The target is the operator's.
  static ObjectNode encode(NodeStatus report) {
    ObjectNode one = JsonNodeFactory.instance.objectNode().put(NAME, report.name());
    one.put(READY, report.ready()).put(CURRENT, report.current());
    report.started().ifPresent(at -> one.put(STARTED, Times.seconds(at)));
    report.existing().ifPresent(what -> one.put(EXISTING, what));
    report.digest().ifPresent(digest -> one.put(INSTALLED, report.installed()).put(DIGEST, digest));
    report
        .failure()
        .ifPresent(what -> {
          one.put(FAILED, what.revision()).put(REASON, what.kind().word());
          one.putArray(ERRORS).add(what.why());
        });
    return one;
  }

  static ObjectNode encode(Condition condition) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", condition.type())
        .put("status", condition.status().word())
        .put("reason", condition.reason())
        .put("message", condition.message())
        .put("lastTransitionTime", Times.seconds(condition.since()));
  }

  /// An entry that asks whether the agent of a removed node still reports.
  static ObjectNode question(String node, boolean reported, Instant now) {
    ObjectNode entry = JsonNodeFactory.instance.objectNode().put(NAME, node);
    entry.put(ASKED, Times.seconds(now));
    if (reported) {
      entry.put(ANSWERED, true);
    }
    return entry;
  }
}
