package io.keyward.storage.audit;

import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.envelope.ProviderKind;
import io.keyward.storage.resource.GroupResource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// What an audit found. Holds names and counts, never values.
public final class AuditReport {
  private final Source source;
  private final Expectation expected;
  private final Map<Location, Census> censuses;
  private final List<Finding> findings;
  private final Map<Rule, Long> counts;
  private final SortedSet<Seal> needs;

  AuditReport(
      Source source,
      Expectation expected,
      Map<Location, Census> censuses,
      List<Finding> findings,
      Map<Rule, Long> counts,
      SortedSet<Seal> needs) {
    this.source = source;
    this.expected = expected;
    this.censuses = new EnumMap<>(censuses);
    this.findings = List.copyOf(findings);
    this.counts = counts.isEmpty() ? Map.of() : new EnumMap<>(counts);
    this.needs = new TreeSet<>(needs);
  }

  public Source source() {
    return source;
  }

  /// Whether plaintext of this resource, by its name in a census, is a finding.
  public boolean mustBeEncrypted(String resource) {
    boolean object = !resource.equals(Census.INTERNAL) && !resource.equals(Census.FOREIGN);
    return object && expected.wantsEncrypted(GroupResource.parse(resource));
  }

  public Census census(Location place) {
    return censuses.getOrDefault(place, new Census());
  }

  /// Errors first, then by rule and key. Long lists are cut; see [#count].
  public List<Finding> findings() {
    return findings;
  }

  /// All findings of a rule, listed or not.
  public long count(Rule rule) {
    return counts.getOrDefault(rule, 0L);
  }

  /// How many findings are not listed.
  public long unlisted() {
    return counts.values().stream().mapToLong(Long::longValue).sum() - findings.size();
  }

  /// Every key that live data and history need, plaintext left out.
  public List<Seal> needs() {
    return needs.stream().filter(seal -> seal.provider() != ProviderKind.IDENTITY).toList();
  }

  /// What the verdict covers. Reasons are findings about the source, so they make the audit fail.
  public Coverage coverage() {
    return Coverage.of(findings, this::count, source.limits());
  }

  public boolean isClean() {
    return counts.isEmpty();
  }
}
