package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.kms.client.Endpoint;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.client.Preflight;
import io.keyward.kms.client.PreflightReport;
import io.keyward.kube.PreflightRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Asks plugins by their sockets, as the API server of this node does.
final class PluginProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SLOW = Duration.ofSeconds(3);
  private static final Duration STATUS = Duration.ofSeconds(5);

  private PluginProbe() {}

  /// What one plugin said. Empty texts are what it did not say.
  record Health(String status, String keyId, String detail) {}

  static String preflight(String endpoint) {
    try {
      Optional<String> unusable = SocketCheck.problem(Endpoint.parse(endpoint).socket());
      if (unusable.isPresent()) {
        return PreflightRecord.answer(false, "", unusable.orElseThrow());
      }
      PreflightReport report = new Preflight(Endpoint.parse(endpoint), PATIENCE, SLOW).run();
      String detail =
          report
              .finding()
              .map(f -> f.problem().words() + ": " + f.detail() + "; " + f.problem().remedy())
              .orElse("");
      return PreflightRecord.answer(report.passed(), report.keyId(), detail);
    } catch (IllegalArgumentException e) {
      return PreflightRecord.answer(false, "", String.valueOf(e.getMessage()));
    }
  }

  static Health health(String endpoint) {
    try {
      return SocketCheck.problem(Endpoint.parse(endpoint).socket())
          .map(problem -> new Health("Error", "", problem))
          .orElseGet(() -> asked(endpoint));
    } catch (IllegalArgumentException e) {
      return new Health("Error", "", String.valueOf(e.getMessage()));
    }
  }

  private static Health asked(String endpoint) {
    try (var client = new KmsV2Client(Endpoint.parse(endpoint))) {
      PluginStatus status = client.status(STATUS);
      if (!status.isHealthy()) {
        return new Health("Unhealthy", status.keyId(), status.healthz());
      }
      return status.keyId().isEmpty()
          ? new Health("Unhealthy", "", "the plugin reports no key_id")
          : new Health("Healthy", status.keyId(), "");
    } catch (PluginCallException e) {
      return new Health("Error", "", e.code() + " " + e.description());
    }
  }

  /// The sockets of the KMS keys in a configuration, by serial.
  static Map<String, String> endpoints(byte[] config) {
    var found = new TreeMap<String, String>();
    try {
      for (JsonNode entry : new ObjectMapper().readTree(config).path("resources")) {
        for (JsonNode provider : entry.path("providers")) {
          String name = provider.at("/kms/name").asText("");
          int border = name.indexOf('_');
          if (border > 0) {
            found.put(name.substring(0, border), provider.at("/kms/endpoint").asText(""));
          }
        }
      }
    } catch (IOException _) {
      // A configuration that is no JSON was not brought here by us, and names no key of ours.
      return Map.of();
    }
    return found;
  }
}
