package io.keyward.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.EncryptionStatusCodec;
import io.keyward.core.health.Probe;
import io.keyward.core.health.ProbeReader;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.KeySerial;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What this node says of its plugins, each time in the light of what it said before. What it said
/// before this process was started stands in the status.
final class OwnReports {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String node;
  private final Map<KeySerial, HealthReport> last = new TreeMap<>();
  private List<HealthReport> told = List.of();

  OwnReports(String node) {
    this.node = node;
  }

  /// The next report on one plugin.
  ///
  /// @param seen the status as it stands
  HealthReport next(KeySerial serial, Probe probe, JsonNode seen, Instant now) {
    Optional<HealthReport> before =
        Optional.ofNullable(last.get(serial)).or(() -> written(seen, serial));
    HealthReport report = ProbeReader.read(node, serial, probe, before, now);
    last.put(serial, report);
    return report;
  }

  private Optional<HealthReport> written(JsonNode seen, KeySerial serial) {
    for (JsonNode one : seen.at("/encryptionStatus/healthReports")) {
      if (one.path("nodeName").asText("").equals(node)
          && one.path("keyID").asText("").equals(serial.toString())
          && EncryptionStatusCodec.decodeReport(one.toString())
              instanceof Decoded.Good<HealthReport>(var report)) {
        return Optional.of(report);
      }
    }
    return Optional.empty();
  }

  /// Whether they say more than that time went by since the last that were written. Since when
  /// something is so changes only where it was otherwise in between.
  boolean isNews(List<HealthReport> reports) {
    return !reports.stream()
        .map(OwnReports::words)
        .toList()
        .equals(told.stream().map(OwnReports::words).toList());
  }

  private static List<Object> words(HealthReport report) {
    return List.of(
        report.serial(),
        report.status(),
        report.statusSince(),
        report.kek(),
        report.kekSince(),
        report.kekBefore(),
        report.detail());
  }

  /// They were written.
  void told(List<HealthReport> reports) {
    told = List.copyOf(reports);
  }

  /// As they stand in the status.
  static ArrayNode json(List<HealthReport> reports) {
    ArrayNode list = JSON.createArrayNode();
    for (HealthReport report : reports) {
      try {
        list.add(JSON.readTree(EncryptionStatusCodec.encode(report)));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("what was just encoded is no JSON", e);
      }
    }
    return list;
  }
}
