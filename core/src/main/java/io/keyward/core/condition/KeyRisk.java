package io.keyward.core.condition;

import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What the KMS reports about a key in use while everything still works: it is disabled, waits for
/// its deletion, or expires. That can be undone now, and not once the key is deleted.
public final class KeyRisk {
  private static final String TYPE = "KMSKeyAtRisk";

  private KeyRisk() {}

  static Words of(ObservedState seen) {
    var inUse = new TreeSet<KeySerial>();
    Stream.concat(seen.running().stream(), seen.stored().published().stream())
        .flatMap(layout -> layout.keys().stream())
        .filter(key -> key.mode() == Mode.KMS)
        .forEach(key -> inUse.add(key.serial()));
    if (inUse.isEmpty()) {
      return Words.no(TYPE);
    }
    // Nodes report the same about the same key.
    var warnings = new TreeSet<String>();
    for (HealthReport report : seen.activity().reports()) {
      if (inUse.contains(report.serial()) && report.isFresh(seen.at(), seen.settings())) {
        report.warnings().forEach(one -> warnings.add("key " + report.serial() + ": " + one));
      }
    }
    return warnings.isEmpty()
        ? Words.no(TYPE, "AsExpected", "")
        : Words.yes(TYPE, "KMSReportsRisk", String.join("; ", warnings));
  }

  /// Whether a condition reports a key at risk.
  public static boolean isOf(Condition condition) {
    return condition.type().equals(TYPE) && condition.status() == Condition.Status.TRUE;
  }

  /// Whether two conditions report the same risk.
  public static boolean isSame(Condition one, Condition other) {
    return isOf(one) && isOf(other) && one.message().equals(other.message());
  }
}
