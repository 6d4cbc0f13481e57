package io.keyward.storage.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.Vectors;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.resource.GroupResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Values under one cover must not differ in anything that an audit tells.
final class CoverFinderTest {
  private static final Expectation EVERYTHING =
      new Expectation(
          Set.of(GroupResource.anyInAnyGroup()),
          Set.of(),
          Optional.of("no-such-key"),
          Set.of("key1", "kms-public"),
          Set.of("kek-1"));

  /// What a value tells about itself: its seal, whether it is malformed and how, its wrapped DEK.
  private static String told(ByteView value) {
    ValueEnvelope envelope = ValueEnvelope.parse(value);
    String more =
        switch (envelope) {
          case ValueEnvelope.KmsV2(_, var object) -> object.dekSource().hashCode() + "";
          case ValueEnvelope.Malformed(_, var problem, _, _) -> problem.name();
          case ValueEnvelope.Plain _, ValueEnvelope.LocalSealed _, ValueEnvelope.KmsV1 _ -> "";
        };
    return Seal.of(envelope) + more;
  }

  @Test
  void valuesUnderOneCoverTellTheSame() {
    var covers = new CoverFinder();
    Map<Integer, String> seen = new HashMap<>();
    int covered = 0;
    for (ByteView value : damaged()) {
      int cover = covers.of(value);
      if (cover != CoverFinder.NONE) {
        covered++;
        assertThat(seen.computeIfAbsent(cover, _ -> told(value))).isEqualTo(told(value));
      }
    }
    assertThat(covered).isGreaterThan(500);
    assertThat(seen).hasSizeGreaterThan(50);
  }

  @Test
  void aValueIsCountedTheSameWhetherItIsTheFirstOfItsCoverOrNot() {
    List<ByteView> values = damaged();
    var together = new Auditor(EVERYTHING, Optional.empty(), Optional.empty(), 5);
    Map<String, Long> alone = new HashMap<>();
    for (ByteView value : values) {
      ByteView key = ByteView.utf8("/registry/secrets/ns/name");
      together.add(Location.LIVE, key, value, 1);
      var single = new Auditor(EVERYTHING, Optional.empty(), Optional.empty(), 5);
      single.add(Location.LIVE, key, value, 1);
      counts(single).forEach((what, count) -> alone.merge(what, count, Long::sum));
    }
    assertThat(counts(together)).isEqualTo(alone);
  }

  @Test
  void everyKeyUnderACoverIsNamedUntilTheListIsFull() {
    var auditor = new Auditor(EVERYTHING, Optional.empty(), Optional.empty(), 3);
    for (int i = 0; i < 5; i++) {
      ByteView value = ByteView.utf8("plain " + i);
      auditor.add(Location.LIVE, ByteView.utf8("/registry/secrets/ns/" + i), value, 1);
      auditor.add(Location.LOG, ByteView.utf8("/registry/secrets/ns/" + i), value, 1);
      auditor.add(Location.LIVE, ByteView.utf8("/elsewhere/" + i), value, 1);
    }
    AuditReport report =
        auditor.report(new Source("x", 1, 0, 0, 0, 0, Optional.empty(), List.of()));
    assertThat(report.count(Finding.Rule.PLAINTEXT)).isEqualTo(5);
    assertThat(report.count(Finding.Rule.PLAINTEXT_IN_LOG)).isEqualTo(5);
    assertThat(report.unlisted()).isEqualTo(4);
    assertThat(report.findings())
        .extracting(finding -> finding.rule().word() + " " + finding.key())
        .containsExactly(
            "plaintext /registry/secrets/ns/0",
            "plaintext /registry/secrets/ns/1",
            "plaintext /registry/secrets/ns/2",
            "plaintext-in-log /registry/secrets/ns/0",
            "plaintext-in-log /registry/secrets/ns/1",
            "plaintext-in-log /registry/secrets/ns/2");
  }

  private static Map<String, Long> counts(Auditor auditor) {
    AuditReport report =
        auditor.report(new Source("x", 1, 0, 0, 0, 0, Optional.empty(), List.of()));
    Map<String, Long> counts = new HashMap<>();
    for (Finding.Rule rule : Finding.Rule.values()) {
      counts.merge(rule.word(), report.count(rule), Long::sum);
    }
    report
        .census(Location.LIVE)
        .seals()
        .forEach((resource, seals) ->
            seals.forEach((seal, tally) -> {
              counts.merge(resource + seal + " objects", tally.objects(), Long::sum);
              counts.merge(resource + seal + " bytes", tally.bytes(), Long::sum);
            }));
    return counts;
  }

  /// All vectors, and each of them some times with a byte changed or the end cut off.
  private static List<ByteView> damaged() {
    var random = new Random(7);
    var values = new ArrayList<ByteView>();
    for (var line : Vectors.lines("public.jsonl")) {
      ByteView value = Vectors.base64(line.get("storedValue"));
      values.add(value);
      for (int i = 0; i < 6 && value.size() > 1; i++) {
        byte[] changed = value.toArray();
        int at = i < 3 ? random.nextInt(changed.length) : changed.length - 1 - i % changed.length;
        changed[Math.max(0, at)] ^= (byte) (1 << random.nextInt(8));
        values.add(ByteView.wrap(changed));
        values.add(value.slice(0, random.nextInt(value.size())));
      }
    }
    return values;
  }
}
