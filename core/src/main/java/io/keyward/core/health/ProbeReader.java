package io.keyward.core.health;

import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.HealthReport.Status;
import io.keyward.core.model.kms.KekId;
import java.time.Instant;
import java.util.Optional;

/// Turns a probe into a report that can always be stored: the schema wants a KEK in every report,
/// so one that cannot be learned now is carried over from the report before.
public final class ProbeReader {
  /// What the status field allows.
  public static final int MAX_DETAIL = 1024;

  private ProbeReader() {}

  /// The report of one monitor about one plugin. A time of the last report that is still to come
  /// was told by a clock that ran ahead, and counts from now.
  ///
  /// @param last what this monitor reported before, also before it was started again
  /// @param at when the probe began
  public static HealthReport read(
      String node, KeySerial serial, Probe probe, Optional<HealthReport> last, Instant at) {
    Status status = status(probe);
    Optional<KekId> told = told(probe);
    Optional<KekId> kek = told.or(() -> last.flatMap(HealthReport::kek));
    boolean same = last.flatMap(HealthReport::kek).equals(kek);
    return new HealthReport(
        node,
        serial,
        status,
        at,
        kek,
        last.filter(before -> before.status() == status)
            .flatMap(HealthReport::statusSince)
            .filter(since -> !since.isAfter(at))
            .or(() -> Optional.of(at)),
        kek.map(_ ->
            last.filter(_ -> same)
                .flatMap(HealthReport::kekSince)
                .filter(since -> !since.isAfter(at))
                .orElse(at)),
        same ? last.flatMap(HealthReport::kekBefore) : last.flatMap(HealthReport::kek),
        cut(detail(probe)));
  }

  private static Status status(Probe probe) {
    return switch (probe) {
      case Probe.Failure _, Probe.Nothing _ -> Status.ERROR;
      case Probe.Answer answer -> problem(answer).isEmpty() ? Status.HEALTHY : Status.UNHEALTHY;
    };
  }

  private static String detail(Probe probe) {
    return switch (probe) {
      case Probe.Failure(var error) -> error.isEmpty() ? "the call failed" : error;
      case Probe.Nothing _ -> "kms plugin returned nil status response";
      case Probe.Answer answer -> problem(answer);
    };
  }

  /// Empty where the plugin is well.
  private static String problem(Probe.Answer answer) {
    if (!answer.healthz().equals("ok")) {
      return answer.healthz().isEmpty() ? "the plugin sent no healthz" : answer.healthz();
    }
    if (!answer.version().equals("v2") && !answer.version().equals("v2beta1")) {
      return "the plugin speaks version \"" + answer.version() + "\", not v2";
    }
    if (answer.keyId().isEmpty()) {
      return "the plugin sent no key_id";
    }
    return KekId.parse(answer.keyId()).isEmpty() ? "the plugin sent a key_id too long" : "";
  }

  private static Optional<KekId> told(Probe probe) {
    return probe instanceof Probe.Answer(_, _, var id) ? KekId.parse(id) : Optional.empty();
  }

  private static String cut(String detail) {
    return detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL - 1) + "…";
  }
}
