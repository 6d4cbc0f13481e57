package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.core.health.Probe;
import io.keyward.core.model.KeySerial;
import io.keyward.kms.client.Endpoint;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.client.Preflight;
import io.keyward.kms.client.PreflightReport;
import io.keyward.kube.PreflightRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Asks plugins by their sockets, as the API server of this node does.
final class PluginProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SLOW = Duration.ofSeconds(3);
  private static final Duration STATUS = Duration.ofSeconds(5);

  /// The serial, then the resource.
  private static final Pattern NAME = Pattern.compile("([0-9]{1,18})_.*");

  private final PluginObserver observer;

  PluginProbe(PluginObserver observer) {
    this.observer = observer;
  }

  String preflight(String endpoint) {
    try {
      Optional<String> unusable = SocketCheck.problem(Endpoint.parse(endpoint).socket());
      if (unusable.isPresent()) {
        return PreflightRecord.answer(false, "", unusable.orElseThrow());
      }
      PreflightReport report = new Preflight(Endpoint.parse(endpoint), PATIENCE, SLOW).run();
      report
          .steps()
          .forEach(step -> observer.answered(step.name().toLowerCase(Locale.ROOT), step.took()));
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

  Probe health(String endpoint) {
    try {
      return SocketCheck.problem(Endpoint.parse(endpoint).socket())
          .<Probe>map(Probe.Failure::new)
          .orElseGet(() -> asked(endpoint));
    } catch (IllegalArgumentException e) {
      return new Probe.Failure(String.valueOf(e.getMessage()));
    }
  }

  private Probe asked(String endpoint) {
    long begun = System.nanoTime();
    try (var client = new KmsV2Client(Endpoint.parse(endpoint))) {
      PluginStatus status = client.status(STATUS);
      return new Probe.Answer(status.version(), status.healthz(), status.keyId());
    } catch (PluginCallException e) {
      return new Probe.Failure(words(e));
    } finally {
      observer.answered("status", Duration.ofNanos(System.nanoTime() - begun));
    }
  }

  /// The same words for the same failure: what differs would be reported as news.
  private static String words(PluginCallException e) {
    return switch (e.code()) {
      case "DEADLINE_EXCEEDED" ->
          "it is silent: no answer within "
              + STATUS.toSeconds()
              + " s; see whether the plugin hangs";
      case "UNAVAILABLE" -> "nobody answers at the socket; start the plugin on this node";
      default -> (e.code() + " " + e.description()).strip();
    };
  }

  /// The sockets of the KMS keys in a configuration.
  static SortedMap<KeySerial, String> endpoints(byte[] config) {
    var found = new TreeMap<KeySerial, String>();
    try {
      for (JsonNode entry : new ObjectMapper().readTree(config).path("resources")) {
        for (JsonNode provider : entry.path("providers")) {
          Matcher name = NAME.matcher(provider.at("/kms/name").asText(""));
          if (name.matches()) {
            found.put(
                new KeySerial(Long.parseLong(name.group(1))),
                provider.at("/kms/endpoint").asText(""));
          }
        }
      }
    } catch (IOException _) {
      // A configuration that is no JSON was not brought here by us, and names no key of ours.
      return Collections.emptySortedMap();
    }
    return found;
  }
}
