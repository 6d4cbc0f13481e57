package io.keyward.node.plugin;

import io.keyward.codec.object.PreflightCodec;
import io.keyward.core.health.Probe;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.client.Preflight;
import io.keyward.kms.client.PreflightReport;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/// Asks plugins by their sockets, as the API server of this node does.
public final class PluginProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SLOW = Duration.ofSeconds(3);
  private static final Duration STATUS = Duration.ofSeconds(5);

  private final String apiServer;
  private final PluginObserver observer;

  /// Of one API server, which uses the plugins.
  PluginProbe(String apiServer, PluginObserver observer) {
    this.apiServer = apiServer;
    this.observer = observer;
  }

  String preflight(String endpoint) {
    try {
      Optional<String> unusable = SocketCheck.problem(PluginEndpoint.parse(endpoint).socket());
      if (unusable.isPresent()) {
        return PreflightCodec.answer(false, "", unusable.orElseThrow());
      }
      PreflightReport report = new Preflight(PluginEndpoint.parse(endpoint), PATIENCE, SLOW).run();
      report
          .steps()
          .forEach(step ->
              observer.answered(apiServer, step.name().toLowerCase(Locale.ROOT), step.took()));
      String detail =
          report
              .finding()
              .map(f -> f.problem().words() + ": " + f.detail() + "; " + f.problem().remedy())
              .orElse("");
      return PreflightCodec.answer(report.passed(), report.keyId(), detail);
    } catch (IllegalArgumentException e) {
      return PreflightCodec.answer(false, "", String.valueOf(e.getMessage()));
    }
  }

  Probe health(String endpoint) {
    try {
      return SocketCheck.problem(PluginEndpoint.parse(endpoint).socket())
          .<Probe>map(Probe.Failure::new)
          .orElseGet(() -> asked(endpoint));
    } catch (IllegalArgumentException e) {
      return new Probe.Failure(String.valueOf(e.getMessage()));
    }
  }

  private Probe asked(String endpoint) {
    long begun = System.nanoTime();
    try (var client = new KmsV2Client(PluginEndpoint.parse(endpoint))) {
      PluginStatus status = client.status(STATUS);
      return new Probe.Answer(status.version(), status.healthz(), status.keyId());
    } catch (PluginCallException e) {
      return new Probe.Failure(words(e));
    } finally {
      observer.answered(apiServer, "status", Duration.ofNanos(System.nanoTime() - begun));
    }
  }

  /// The same words for the same failure: what differs would be reported as news.
  private static String words(PluginCallException e) {
    return switch (e.code()) {
      case "DEADLINE_EXCEEDED" ->
          "it is silent: no answer within "
              + STATUS.toSeconds()
              + " s; see whether the plugin hangs";
      case "UNAVAILABLE" -> "no plugin responds at the socket; start the plugin on this node";
      default -> (e.code() + " " + e.description()).strip();
    };
  }
}
