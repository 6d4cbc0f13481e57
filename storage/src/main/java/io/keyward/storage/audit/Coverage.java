package io.keyward.storage.audit;

import io.keyward.storage.audit.Finding.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// How much of its source a verdict covers. A "yes" holds for what was seen, so it is only given
/// where the coverage is complete.
///
/// `reasons` say what could not be seen although the source should hold it. `limits` say what a
/// source of this kind never shows; they do not make the coverage incomplete.
public record Coverage(List<String> reasons, List<String> limits) {
  /// Of one rule; a damaged file may have thousands.
  private static final int MAX_REASONS = 10;

  public Coverage {
    reasons = List.copyOf(reasons);
    limits = List.copyOf(limits);
  }

  /// From what was found to be wrong with a source.
  public static Coverage of(List<Finding> findings, List<String> limits) {
    return of(
        findings,
        rule -> findings.stream().filter(finding -> finding.rule() == rule).count(),
        limits);
  }

  /// `counts` says how often each rule was broken; the list may hold fewer.
  static Coverage of(List<Finding> findings, ToLongFunction<Rule> counts, List<String> limits) {
    var reasons = new ArrayList<String>();
    for (Rule rule : Rule.values()) {
      long count = rule.limitsCoverage() ? counts.applyAsLong(rule) : 0;
      List<String> details =
          findings.stream()
              .filter(finding -> finding.rule() == rule && count > 0)
              .limit(MAX_REASONS)
              .map(Finding::detail)
              .toList();
      details.forEach(detail -> reasons.add(rule.words() + ": " + detail));
      // A short list must not look complete.
      if (count > details.size()) {
        reasons.add(rule.words() + ": " + (count - details.size()) + " more places");
      }
    }
    return new Coverage(reasons, limits);
  }

  public boolean isComplete() {
    return reasons.isEmpty();
  }
}
