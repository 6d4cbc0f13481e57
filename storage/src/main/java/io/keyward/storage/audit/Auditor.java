package io.keyward.storage.audit;

import io.keyward.etcd.bytes.Bytes;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.resource.EtcdKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Takes in every value once, wherever it comes from, and gives the report. Not thread-safe.
public final class Auditor {
  /// Where a value stands.
  public enum Place {
    LIVE,
    HISTORY,
    FREE_PAGES,
    LOG
  }

  private final Expectation expected;
  private final Optional<ObjectCheck> config;
  private final Optional<String> prefix;
  private final int maxFindings;
  private final Map<Place, Census> censuses = new EnumMap<>(Place.class);
  private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);
  private final List<Finding> findings = new ArrayList<>();
  private final Map<Bytes, EtcdKey> places = new HashMap<>();
  private final Set<Seal> needs = new HashSet<>();

  /// `maxFindings` bounds how many findings of one rule are listed; all are counted.
  public Auditor(
      Expectation expected,
      Optional<ObjectCheck> config,
      Optional<String> prefix,
      int maxFindings) {
    this.expected = expected;
    this.config = config;
    this.prefix = prefix;
    this.maxFindings = maxFindings;
    for (Place place : Place.values()) {
      censuses.put(place, new Census());
    }
  }

  public void add(Place where, Bytes key, Bytes value, long revision) {
    StoredObject object = StoredObject.of(key, place(key), value, revision);
    Seal seal = seal(object);
    census(where).add(object, seal);
    switch (where) {
      case LIVE -> live(object, seal);
      case HISTORY -> history(object, seal);
      case FREE_PAGES -> plaintext(Rule.PLAINTEXT_IN_FREE_PAGES, object);
      case LOG -> plaintext(Rule.PLAINTEXT_IN_LOG, object);
    }
  }

  /// Keys of one directory differ in their names alone, and no rule asks for those.
  private EtcdKey place(Bytes key) {
    int slash = key.lastIndexOf('/');
    return slash < 0
        ? EtcdKey.parse(key, prefix)
        : places.computeIfAbsent(key.slice(0, slash), _ -> EtcdKey.parse(key, prefix));
  }

  private Seal seal(StoredObject object) {
    Seal told = Seal.of(object.envelope());
    return config
        .flatMap(check -> check.colonName(object))
        .map(name -> new Seal(told.provider(), name, told.keyId()))
        .orElse(told);
  }

  private void live(StoredObject object, Seal seal) {
    needs.add(seal);
    Rules.LIVE.forEach(rule -> rule.check(object, expected).ifPresent(this::add));
    if (config.map(check -> check.isMalformed(object)).orElse(true)) {
      Rules.malformed(object, expected).ifPresent(this::add);
    }
    config.flatMap(check -> check.check(object)).ifPresent(this::add);
  }

  /// A restored backup serves its history until the first compaction, so its keys are needed too.
  private void history(StoredObject object, Seal seal) {
    needs.add(seal);
    Rules.HISTORY.forEach(rule -> rule.check(object, expected).ifPresent(this::add));
    plaintext(Rule.PLAINTEXT_IN_HISTORY, object);
  }

  private void plaintext(Rule rule, StoredObject object) {
    Rules.plaintext(object, expected)
        .ifPresent(found -> add(new Finding(rule, found.key(), rule.words())));
  }

  /// For what is wrong with the source itself.
  public void add(Finding finding) {
    long seen = counts.merge(finding.rule(), 1L, Long::sum);
    if (seen <= maxFindings) {
      findings.add(finding);
    }
  }

  private Census census(Place place) {
    return censuses.computeIfAbsent(place, _ -> new Census());
  }

  public AuditReport report(Source source) {
    var sorted = new ArrayList<>(findings);
    sorted.sort(
        Comparator.comparing((Finding finding) -> finding.rule().severity())
            .thenComparing(Finding::rule)
            .thenComparing(Finding::key));
    return new AuditReport(source, censuses, sorted, counts, new TreeSet<>(needs));
  }
}
