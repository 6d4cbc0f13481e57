package io.keyward.core.preflight;

import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState.Report;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What nodes answered to one preflight, and what that means.
///
/// It passes only where every node reached a healthy plugin and all saw the same `key_id`: each API
/// server must read what the others write.
public final class NodeAnswers {
  private final SortedSet<String> nodes;
  private final SortedMap<String, Answer> answers;

  /// What one node saw.
  ///
  /// @param detail what was wrong and what to do; a warning where it passed
  public record Answer(boolean passed, Optional<KekId> kek, String detail) {}

  /// All answers so far.
  ///
  /// @param nodes who is asked; what others say counts for nothing
  public NodeAnswers(SortedSet<String> nodes, SortedMap<String, Answer> answers) {
    this.nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
    var asked = new TreeMap<>(answers);
    asked.keySet().retainAll(nodes);
    this.answers = Collections.unmodifiableSortedMap(asked);
  }

  /// Absent while it depends on who has not answered. One failure is enough to know.
  public Optional<Report> report() {
    String failures = failures();
    if (!failures.isEmpty()) {
      return Optional.of(new Report(false, Optional.empty(), failures));
    }
    if (nodes.isEmpty() || answers.size() < nodes.size()) {
      return Optional.empty();
    }
    SortedMap<String, List<String>> keks = keks();
    return Optional.of(
        keks.size() == 1
            ? new Report(true, Optional.of(new KekId(keks.firstKey())), warnings())
            : new Report(false, Optional.empty(), differ(keks)));
  }

  /// Nodes that passed warn of the same.
  private String warnings() {
    return answers.values().stream()
        .map(Answer::detail)
        .filter(detail -> !detail.isEmpty())
        .distinct()
        .collect(Collectors.joining("; "));
  }

  private String failures() {
    return answers.entrySet().stream()
        .filter(entry -> !entry.getValue().passed() || entry.getValue().kek().isEmpty())
        .map(entry -> "on node " + entry.getKey() + ": " + failure(entry.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String failure(Answer answer) {
    if (answer.passed()) {
      return "the plugin reports no key_id; correct or replace the plugin";
    }
    return answer.detail().isEmpty()
        ? "the node agent reported a failure without a reason; see its log"
        : answer.detail();
  }

  private SortedMap<String, List<String>> keks() {
    var keks = new TreeMap<String, List<String>>();
    answers.forEach((node, answer) ->
        answer
            .kek()
            .ifPresent(kek -> keks.computeIfAbsent(kek.value(), _ -> new ArrayList<>()).add(node)));
    return keks;
  }

  private static String differ(SortedMap<String, List<String>> keks) {
    return keks.entrySet().stream()
        .map(entry -> entry.getKey() + " on " + String.join(", ", entry.getValue()))
        .collect(
            Collectors.joining(
                "; ",
                "the plugins of the nodes report different key_ids: ",
                "; let all of them use the same key, in the same version"));
  }

  /// Whose answer is missing, since when, and what to do about it.
  public Optional<String> waitsFor(Optional<Instant> since) {
    if (nodes.isEmpty()) {
      return Optional.of(
          "there is no node to test it on; give the nodes of the control plane their label, or name"
              + " them in the settings of the operator");
    }
    var silent = new TreeSet<>(nodes);
    silent.removeAll(answers.keySet());
    return silent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "no answer from the node agent on "
                + String.join(", ", silent)
                + since.map(time -> " since " + time).orElse("")
                + "; check that it runs");
  }
}
