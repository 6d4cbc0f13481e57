package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Problem;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads and writes `status.encryptionStatus`: health reports and the preflight's result.
///
/// Beside what others write there are members of ours, all optional: `statusSince`,
/// `remoteKeyIDSince` and `remoteKeyIDBefore` in a report, `time`, `attempt` and `detail` in a
/// result.
public final class EncryptionStatusCodec {
  private static final int MAX_REPORTS = 200;
  private static final int MAX_NAME = 253;
  private static final int MAX_DETAIL = 1024;
  private static final int MAX_WARNINGS = 5;
  private static final Pattern NODE =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern HASH = Pattern.compile("[A-Za-z0-9_-]*={0,2}");

  private EncryptionStatusCodec() {}

  /// Never fails: what is wrong is in the problems.
  public static EncryptionStatus decode(String json) {
    var problems = new ArrayList<Problem>();
    Optional<JsonNode> root = json.isBlank() ? Optional.empty() : Json.read(json);
    if (root.isEmpty() && !json.isBlank()) {
      problems.add(new Problem("encryptionStatus", "is not an object"));
    }
    return decode(root.orElseGet(Json::object), problems);
  }

  /// The same of what was read already; a missing node is an empty status.
  public static EncryptionStatus decode(JsonNode status) {
    return decode(status, new ArrayList<>());
  }

  private static EncryptionStatus decode(JsonNode status, List<Problem> problems) {
    var reports = reports(status.path("healthReports"), problems);
    var preflightProblems = new ArrayList<Problem>();
    JsonNode preflight = status.path("preflight");
    Optional<Fingerprint> observed =
        preflight.has("observedConfigHash")
            ? hash(preflight.path("observedConfigHash"), "observedConfigHash", preflightProblems)
            : Optional.empty();
    Optional<Result> result =
        preflight.has("result")
            ? result(preflight.path("result"), preflightProblems)
            : Optional.empty();
    var others = new ArrayList<Result>();
    for (JsonNode one : preflight.path("otherResults")) {
      result(one, preflightProblems).ifPresent(others::add);
    }
    return new EncryptionStatus(reports, observed, result, others, problems, preflightProblems);
  }

  private static List<HealthReport> reports(JsonNode list, List<Problem> problems) {
    var reports = new ArrayList<HealthReport>();
    var names = new HashSet<String>();
    if (!list.isMissingNode() && !list.isArray()) {
      problems.add(new Problem("healthReports", "is not a list"));
    }
    for (int i = 0; i < list.size(); i++) {
      String where = where(list.path(i), i);
      if (i >= MAX_REPORTS) {
        problems.add(new Problem("healthReports", "has more than 200 entries"));
        break;
      }
      switch (report(list.path(i), where)) {
        case Decoded.Bad<HealthReport>(var problem) -> problems.add(problem);
        case Decoded.Good<HealthReport>(var report) -> {
          if (names.add(report.node() + "/" + report.serial())) {
            reports.add(report);
          } else {
            problems.add(new Problem(where, "is a second report for the same node and key"));
          }
        }
      }
    }
    return reports;
  }

  /// People know a node better than a place in a list.
  private static String where(JsonNode entry, int index) {
    String node = entry.path("nodeName").asText("");
    return isNode(node) ? "the health report of node " + node : "healthReports[" + index + "]";
  }

  private static boolean isNode(String name) {
    return !name.isEmpty() && name.length() <= MAX_NAME && NODE.matcher(name).matches();
  }

  private static Decoded<HealthReport> report(JsonNode entry, String where) {
    String node = entry.path("nodeName").asText("");
    Optional<KeySerial> serial = Digits.parse(entry.path("keyID").asText("")).map(KeySerial::new);
    Optional<HealthReport.Status> status = status(entry.path("status").asText(""));
    Optional<Instant> checked = time(entry.path("lastCheckedTime"));
    JsonNode kek = entry.path("remoteKeyID");
    JsonNode before = entry.path("remoteKeyIDBefore");
    String problem =
        !isNode(node)
            ? "has no valid nodeName"
            : serial.isEmpty()
                ? "names no key by its number"
                : status.isEmpty()
                    ? "has an unknown status"
                    : checked.isEmpty()
                        ? "has no time"
                        : isWrongKek(kek) || isWrongKek(before)
                            ? "has a remoteKeyID that is not 1 to 1024 characters"
                            : isWrongTime(entry.path("statusSince"))
                                    || isWrongTime(entry.path("remoteKeyIDSince"))
                                ? "has an invalid time"
                                : "";
    if (!problem.isEmpty()) {
      return Decoded.bad(where, problem);
    }
    return Decoded.good(
        new HealthReport(
                node,
                serial.orElseThrow(),
                status.orElseThrow(),
                checked.orElseThrow(),
                kek(kek),
                time(entry.path("statusSince")),
                time(entry.path("remoteKeyIDSince")),
                kek(before),
                cut(entry.path("detail").asText("")))
            .warning(warnings(entry.path("warnings"))));
  }

  private static List<String> warnings(JsonNode list) {
    var warnings = new ArrayList<String>();
    for (JsonNode one : list) {
      if (one.isTextual() && warnings.size() < MAX_WARNINGS) {
        warnings.add(cut(one.asText()));
      }
    }
    return warnings;
  }

  private static Optional<HealthReport.Status> status(String word) {
    return switch (word) {
      case "Healthy" -> Optional.of(HealthReport.Status.HEALTHY);
      case "Unhealthy" -> Optional.of(HealthReport.Status.UNHEALTHY);
      case "Error" -> Optional.of(HealthReport.Status.ERROR);
      default -> Optional.empty();
    };
  }

  private static Optional<Fingerprint> hash(JsonNode node, String where, List<Problem> problems) {
    String text = node.asText("");
    if (text.length() == 8 && HASH.matcher(text).matches()) {
      return Optional.of(new Fingerprint(text));
    }
    problems.add(new Problem("preflight." + where, "is not 8 characters of base64url"));
    return Optional.empty();
  }

  private static Optional<Result> result(JsonNode node, List<Problem> problems) {
    int before = problems.size();
    String word = node.path("status").asText("");
    if (!word.equals("Succeeded") && !word.equals("Failed")) {
      problems.add(new Problem("preflight.result", "has an unknown status"));
    }
    Optional<Fingerprint> config = hash(node.path("configHash"), "result.configHash", problems);
    if (isWrongKek(node.path("remoteKeyID"))) {
      problems.add(
          new Problem("preflight.result", "has a remoteKeyID that is not 1 to 1024 characters"));
    }
    if (isWrongTime(node.path("time"))) {
      problems.add(new Problem("preflight.result", "has an invalid time"));
    }
    return problems.size() > before
        ? Optional.empty()
        : config.map(print ->
            new Result(
                word.equals("Succeeded"),
                print,
                kek(node.path("remoteKeyID")),
                time(node.path("time")),
                Math.clamp(node.path("attempt").asLong(1), 1, Integer.MAX_VALUE),
                cut(node.path("detail").asText(""))));
  }

  private static boolean isWrongKek(JsonNode node) {
    return !node.isMissingNode() && kek(node).isEmpty();
  }

  private static Optional<KekId> kek(JsonNode node) {
    return KekId.parse(node.isTextual() ? node.asText() : "");
  }

  private static boolean isWrongTime(JsonNode node) {
    return !node.isMissingNode() && time(node).isEmpty();
  }

  private static Optional<Instant> time(JsonNode node) {
    return node.isTextual() ? Times.parse(node.asText()) : Optional.empty();
  }

  private static String cut(String detail) {
    return detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL);
  }

  /// One entry of `healthReports`.
  public static ObjectNode encode(HealthReport report) {
    ObjectNode node = Json.object();
    String status = report.status().name();
    node.put("nodeName", report.node()).put("keyID", report.serial().toString());
    node.put("status", status.charAt(0) + status.substring(1).toLowerCase(Locale.ROOT));
    node.put("lastCheckedTime", report.lastChecked().toString());
    report.kek().ifPresent(kek -> node.put("remoteKeyID", kek.value()));
    report.statusSince().ifPresent(at -> node.put("statusSince", at.toString()));
    report.kekSince().ifPresent(at -> node.put("remoteKeyIDSince", at.toString()));
    report.kekBefore().ifPresent(kek -> node.put("remoteKeyIDBefore", kek.value()));
    if (!report.detail().isEmpty()) {
      node.put("detail", cut(report.detail()));
    }
    if (!report.warnings().isEmpty()) {
      var list = node.putArray("warnings");
      report.warnings().stream().limit(MAX_WARNINGS).forEach(one -> list.add(cut(one)));
    }
    return node;
  }

  /// The `result` of a preflight.
  public static ObjectNode encode(Result result) {
    ObjectNode node = Json.object();
    node.put("status", result.succeeded() ? "Succeeded" : "Failed");
    node.put("configHash", result.config().value());
    result.kek().ifPresent(kek -> node.put("remoteKeyID", kek.value()));
    result.at().ifPresent(at -> node.put("time", Times.seconds(at)));
    node.put("attempt", result.attempt());
    if (!result.detail().isEmpty()) {
      node.put("detail", cut(result.detail()));
    }
    return node;
  }
}
