package io.keyward.storage.audit;

import io.keyward.etcd.bytes.ByteRange;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.audit.CoverCounts.Verdict;
import io.keyward.storage.audit.Directory.Shelf;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.envelope.DisplayName;
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
  public enum Location {
    LIVE,

    /// Entries of the log that the database does not hold yet. etcd applies them when it starts, so
    /// they are judged as live values.
    UNAPPLIED,
    HISTORY,
    FREE_PAGES,
    LOG
  }

  private static final int MAX_PATH = 1024;

  private final Expectation expected;
  private final Optional<ObjectCheck> config;
  private final Optional<String> prefix;
  private final int maxFindings;
  private final Map<Location, Census> censuses = new EnumMap<>(Location.class);
  private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);
  private final List<Finding> findings = new ArrayList<>();
  private final ByteTable<Directory> directories = new ByteTable<>();
  private final Map<String, CoverCounts> piles = new HashMap<>();
  private final CoverFinder covers = new CoverFinder();
  private final byte[] path = new byte[MAX_PATH];
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
    for (Location place : Location.values()) {
      censuses.put(place, new Census());
    }
  }

  /// Only looks at what it needs: most values are neither copied nor parsed.
  public void add(Location where, ByteRange key, ByteRange value, long revision) {
    Directory directory = directory(key);
    Shelf shelf = shelf(where, directory);
    shelf.namespace().add(value.size(), revision);
    // With a configuration each value is opened, and that one opens says nothing about the next.
    int cover = config.isPresent() ? CoverFinder.NONE : covers.of(value);
    Verdict known = shelf.pile().verdict(cover);
    if (known != null) {
      known.tally().add(value.size(), revision);
      for (Finding finding : known.findings()) {
        repeat(finding, key);
      }
    } else {
      Verdict verdict = judge(where, directory.place(), key.copy(), value.copy(), revision);
      verdict.findings().forEach(this::add);
      shelf.pile().setVerdict(cover, verdict);
    }
  }

  /// The same about another key. Where the list is full, its name is not even read.
  private void repeat(Finding finding, ByteRange key) {
    if (isListed(finding.rule())) {
      findings.add(new Finding(finding.rule(), DisplayName.of(key.copy()), finding.detail()));
    }
  }

  private Shelf shelf(Location where, Directory directory) {
    Shelf shelf = directory.shelf(where);
    if (shelf == null) {
      EtcdKey place = directory.place();
      String resource = where + " " + place.kind() + " " + Census.label(place);
      CoverCounts pile = piles.computeIfAbsent(resource, _ -> new CoverCounts());
      shelf = new Shelf(pile, census(where).namespace(place));
      directory.setShelf(where, shelf);
    }
    return shelf;
  }

  private Verdict judge(
      Location where, EtcdKey place, ByteView key, ByteView value, long revision) {
    StoredObject object = StoredObject.of(key, place, value, revision);
    Seal seal = seal(object);
    Tally tally = census(where).tally(place, seal);
    tally.add(value.size(), revision);
    tally.addDek(object.envelope());
    var found = new ArrayList<Finding>();
    switch (where) {
      case LIVE, UNAPPLIED -> live(object, seal, found);
      case HISTORY -> history(object, seal, found);
      case FREE_PAGES -> plaintext(Rule.PLAINTEXT_IN_FREE_PAGES, object, found);
      case LOG -> plaintext(Rule.PLAINTEXT_IN_LOG, object, found);
    }
    return new Verdict(tally, List.copyOf(found));
  }

  private Directory directory(ByteRange key) {
    int slash = key.lastIndexOf('/');
    if (slash < 0 || slash > path.length) {
      return new Directory(EtcdKey.parse(key.copy(), prefix));
    }
    key.copyTo(path, 0, 0, slash);
    Directory known = directories.get(path, slash);
    if (known == null) {
      known = new Directory(EtcdKey.parse(key.copy(), prefix));
      directories.put(path, slash, known);
    }
    return known;
  }

  private Seal seal(StoredObject object) {
    Seal told = Seal.of(object.envelope());
    return config
        .flatMap(check -> check.colonName(object))
        .map(name -> new Seal(told.provider(), name, told.keyId()))
        .orElse(told);
  }

  private void live(StoredObject object, Seal seal, List<Finding> found) {
    needs.add(seal);
    Rules.LIVE.forEach(rule -> rule.check(object, expected).ifPresent(found::add));
    if (config.map(check -> check.isMalformed(object)).orElse(true)) {
      Rules.malformed(object, expected).ifPresent(found::add);
    }
    config.flatMap(check -> check.check(object)).ifPresent(found::add);
  }

  /// A restored backup serves its history until the first compaction, so its keys are needed too.
  private void history(StoredObject object, Seal seal, List<Finding> found) {
    needs.add(seal);
    Rules.HISTORY.forEach(rule -> rule.check(object, expected).ifPresent(found::add));
    plaintext(Rule.PLAINTEXT_IN_HISTORY, object, found);
  }

  private void plaintext(Rule rule, StoredObject object, List<Finding> found) {
    Rules.plaintext(object, expected)
        .ifPresent(plain -> found.add(new Finding(rule, plain.key(), rule.words())));
  }

  /// For what is wrong with the source itself.
  public void add(Finding finding) {
    if (isListed(finding.rule())) {
      findings.add(finding);
    }
  }

  /// Counts one more finding of a rule; false where the list is full.
  private boolean isListed(Rule rule) {
    return counts.merge(rule, 1L, Long::sum) <= maxFindings;
  }

  private Census census(Location place) {
    return censuses.computeIfAbsent(place, _ -> new Census());
  }

  public AuditReport report(Source source) {
    expected.present().stream()
        .filter(resource -> censuses.values().stream().noneMatch(census -> census.has(resource)))
        .forEach(resource ->
            add(
                new Finding(
                    Rule.ABSENT_RESOURCE,
                    "",
                    "--expect-encrypted " + resource + ": " + Rule.ABSENT_RESOURCE.words())));
    var sorted = new ArrayList<>(findings);
    sorted.sort(
        Comparator.comparing((Finding finding) -> finding.rule().severity())
            .thenComparing(Finding::rule)
            .thenComparing(Finding::key));
    return new AuditReport(source, expected, censuses, sorted, counts, new TreeSet<>(needs));
  }
}
