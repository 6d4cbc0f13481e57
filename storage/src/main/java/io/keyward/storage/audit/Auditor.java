package io.keyward.storage.audit;

import io.keyward.etcd.bytes.ByteRange;
import io.keyward.etcd.bytes.Bytes;
import io.keyward.storage.audit.Directory.Shelf;
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

  private static final int MAX_PATH = 1024;

  private final Expectation expected;
  private final Optional<ObjectCheck> config;
  private final Optional<String> prefix;
  private final int maxFindings;
  private final Map<Place, Census> censuses = new EnumMap<>(Place.class);
  private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);
  private final List<Finding> findings = new ArrayList<>();
  private final ByteTable<Directory> directories = new ByteTable<>();
  private final Map<String, Pile> piles = new HashMap<>();
  private final Covers covers = new Covers();
  private final byte[] path = new byte[MAX_PATH];
  private final Set<Seal> needs = new HashSet<>();
  private long found;

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

  /// Only looks at what it needs: most values are neither copied nor parsed.
  public void add(Place where, ByteRange key, ByteRange value, long revision) {
    Directory directory = directory(key);
    Shelf shelf = directory.shelf(where, () -> shelf(where, directory.place()));
    shelf.namespace().add(value.size(), revision);
    // With a configuration each value is opened, and that one opens says nothing about the next.
    int cover = config.isPresent() ? Covers.NONE : covers.of(value);
    Tally quiet = shelf.pile().quiet(cover);
    if (quiet != null) {
      quiet.add(value.size(), revision);
    } else {
      long before = found;
      Tally tally = judge(where, directory.place(), key.copy(), value.copy(), revision);
      if (found == before) {
        shelf.pile().setQuiet(cover, tally);
      }
    }
  }

  private Shelf shelf(Place where, EtcdKey place) {
    Pile pile = piles.computeIfAbsent(where + Census.label(place), _ -> new Pile());
    return new Shelf(pile, census(where).namespace(place));
  }

  private Tally judge(Place where, EtcdKey place, Bytes key, Bytes value, long revision) {
    StoredObject object = StoredObject.of(key, place, value, revision);
    Seal seal = seal(object);
    Tally tally = census(where).tally(place, seal);
    tally.add(value.size(), revision);
    tally.addDek(object.envelope());
    switch (where) {
      case LIVE -> live(object, seal);
      case HISTORY -> history(object, seal);
      case FREE_PAGES -> plaintext(Rule.PLAINTEXT_IN_FREE_PAGES, object);
      case LOG -> plaintext(Rule.PLAINTEXT_IN_LOG, object);
    }
    return tally;
  }

  private Directory directory(ByteRange key) {
    int slash = key.lastIndexOf('/');
    if (slash < 0 || slash > path.length) {
      return new Directory(EtcdKey.parse(key.copy(), prefix));
    }
    key.copyTo(path, 0, 0, slash);
    return directories.get(path, slash, () -> new Directory(EtcdKey.parse(key.copy(), prefix)));
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
    found++;
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
