package io.keyward.core.condition;

import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Problem;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The condition that watchers of user-managed plugins look for. It is true with
/// `KMSPluginsDegraded`, and says on which node which socket is unwell, and why.
public final class PluginWords {
  private static final int LONGEST = 1024;
  private static final String TYPE = "KMSPluginDegraded";

  private PluginWords() {}

  /// The condition that says the same as `same`, with more words.
  ///
  /// @param unreadable reports that nobody understands
  public static Condition of(Condition same, ObservedState state, List<Problem> unreadable) {
    if (same.status() == Condition.Status.TRUE) {
      return new Condition(TYPE, same.status(), same.reason(), unwell(same, state), same.since());
    }
    return unreadable.isEmpty()
        ? new Condition(TYPE, same.status(), same.reason(), same.message(), same.since())
        : unreadable(unreadable.getFirst(), state);
  }

  private static String unwell(Condition same, ObservedState state) {
    var endpoints = new TreeMap<KeySerial, String>();
    for (Key key : state.ring().keys()) {
      key.kms().ifPresent(kms -> endpoints.put(key.serial(), kms.endpoint().endpoint()));
    }
    String words =
        state.activity().reports().stream()
            .filter(one -> one.isConfirmedBad(state.at(), state.settings()))
            .filter(one -> endpoints.containsKey(one.serial()))
            .map(one -> sentence(one, endpoints.getOrDefault(one.serial(), "")))
            .sorted()
            .collect(Collectors.joining("; "));
    return words.isEmpty()
        ? same.message()
        : (words.length() > LONGEST ? words.substring(0, LONGEST) : words);
  }

  private static String sentence(HealthReport report, String endpoint) {
    return "on node "
        + report.node()
        + " the plugin of key "
        + report.serial()
        + " at "
        + endpoint
        + " is not healthy: "
        + report.detail();
  }

  /// A report that nobody understands might be the one that tells of a failure.
  private static Condition unreadable(Problem first, ObservedState state) {
    return new Condition(
        TYPE,
        Condition.Status.TRUE,
        "UnreadableReport",
        first.where()
            + " "
            + first.what()
            + "; the report is ignored: check which program reports on this node, and remove the report"
            + " from status.encryptionStatus.healthReports",
        state.conditions().stream()
            .filter(one -> one.type().equals(TYPE) && one.status() == Condition.Status.TRUE)
            .map(Condition::since)
            .findFirst()
            .orElseGet(state::at));
  }
}
