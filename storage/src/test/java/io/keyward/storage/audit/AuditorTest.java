package io.keyward.storage.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.storage.FakeKms;
import io.keyward.storage.Vectors;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.config.ConfigVerdict;
import io.keyward.storage.read.Unwrapper;
import io.keyward.storage.resource.GroupResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuditorTest {
  private static final Expectation SECRETS =
      new Expectation(
          Set.of(new GroupResource("secrets", "")), Set.of(), Optional.empty(), Set.of(), Set.of());
  private static final Source SOURCE = new Source("x", 1, 0, 0, 0, 0, Optional.empty(), List.of());

  @TempDir private Path directory;

  @Test
  void findsPlaintextInFreePagesThatNoTreeReaches() throws Exception {
    var auditor = new Auditor(SECRETS, Optional.empty(), Optional.empty(), 10);
    try (EtcdFile file = EtcdFile.open(Vectors.unpack("public-residue.db", directory))) {
      file.mvcc()
          .forEachResidue((record, _) ->
              auditor.add(Location.FREE_PAGES, record.key(), record.value(), record.main()));
    }
    AuditReport report = auditor.report(SOURCE);
    assertThat(report.count(Rule.PLAINTEXT_IN_FREE_PAGES)).isGreaterThanOrEqualTo(120);
    assertThat(report.findings()).hasSize(10);
    assertThat(report.unlisted()).isEqualTo(report.count(Rule.PLAINTEXT_IN_FREE_PAGES) - 10);
  }

  @Test
  void aRealClusterIsReadableAndItsOldValuesAreStale() throws Exception {
    var config =
        (ConfigVerdict.Accepted)
            ConfigLoader.lenient().load(Vectors.text("public-cluster-config.json"));
    var kms = new FakeKms(new ObjectMapper().readTree(Vectors.text("public-cluster-fakekms.json")));
    AuditReport opened = audit(new ObjectCheck(config.config(), kms, Set.of("kms-public")));
    long expectedStale =
        Vectors.lines("public-cluster-expected.jsonl").stream()
            .filter(line -> line.get("expect").get("stale").asBoolean())
            .count();
    assertThat(opened.count(Rule.UNDECRYPTABLE)).isZero();
    assertThat(opened.count(Rule.STALE)).isEqualTo(expectedStale).isPositive();
    assertThat(opened.needs())
        .extracting(Seal::name)
        .contains("sb:public", "cbc-public", "gcm-public", "kms-public");

    AuditReport byNames = audit(new ObjectCheck(config.config(), kms, Set.of()));
    assertThat(byNames.count(Rule.STALE)).as("names alone tell the same").isEqualTo(expectedStale);
  }

  @Test
  void withoutTheRightKeyNothingOpens() throws Exception {
    var config =
        (ConfigVerdict.Accepted)
            ConfigLoader.lenient()
                .load(
                    Vectors.text("public-cluster-config.json")
                        .replace("ts8Hgmud9Tj2TXs", "Ts8Hgmud9Tj2TXs"));
    AuditReport report = audit(new ObjectCheck(config.config(), Unwrapper.none(), Set.of()));
    assertThat(report.count(Rule.UNDECRYPTABLE)).isPositive();
    assertThat(report.findings())
        .anySatisfy(found -> assertThat(found.detail()).startsWith("BAD_PADDING"));
  }

  @Test
  void aKmsV1NameWithColonsIsNotTakenForDamage() {
    var vector =
        Vectors.lines("public.jsonl").stream()
            .filter(line -> line.get("id").asText().equals("public/kmsv1/011"))
            .findFirst()
            .orElseThrow();
    var config =
        (ConfigVerdict.Accepted) ConfigLoader.lenient().load(vector.get("config").toString());
    var auditor =
        new Auditor(
            SECRETS,
            Optional.of(
                new ObjectCheck(
                    config.config(),
                    new FakeKms(vector.get("fakeKms")),
                    Set.of("aws:kms:alpha3511"))),
            Optional.empty(),
            10);
    ByteView value = Vectors.base64(vector.get("storedValue"));
    auditor.add(Location.LIVE, Vectors.utf8(vector.get("etcdKey")), value, 3);
    AuditReport report = auditor.report(SOURCE);
    assertThat(report.isClean()).isTrue();
    assertThat(report.needs()).extracting(Seal::name).containsExactly("aws:kms:alpha3511");
  }

  @Test
  void historyNeedsItsKeysAndFreePagesDoNot() {
    var auditor = new Auditor(SECRETS, Optional.empty(), Optional.empty(), 10);
    ByteView key = ByteView.utf8("/registry/secrets/a/b");
    auditor.add(Location.LIVE, key, ByteView.utf8("k8s:enc:aesgcm:v1:new:x"), 9);
    auditor.add(Location.HISTORY, key, ByteView.utf8("k8s:enc:aesgcm:v1:old:x"), 8);
    auditor.add(Location.FREE_PAGES, key, ByteView.utf8("k8s:enc:aesgcm:v1:gone:x"), 7);
    auditor.add(Location.LOG, key, ByteView.utf8("k8s:enc:aesgcm:v1:gone:x"), 6);
    assertThat(auditor.report(SOURCE).needs()).extracting(Seal::name).containsExactly("new", "old");
  }

  @Test
  void historyIsHeldToItsOwnRules() {
    var expected =
        new Expectation(
            Set.of(new GroupResource("secrets", "")),
            Set.of(),
            Optional.empty(),
            Set.of("old"),
            Set.of("kek"));
    var auditor = new Auditor(expected, Optional.empty(), Optional.empty(), 10);
    ByteView key = ByteView.utf8("/registry/secrets/a/b");
    auditor.add(Location.HISTORY, key, ByteView.utf8("plain"), 7);
    auditor.add(Location.HISTORY, key, ByteView.utf8("k8s:enc:aesgcm:v1:old:x"), 8);
    auditor.add(Location.FREE_PAGES, key, ByteView.utf8("k8s:enc:aesgcm:v1:old:x"), 5);
    auditor.add(Location.LIVE, key, ByteView.utf8("k8s:enc:aesgcm:v1:new:x"), 9);
    assertThat(auditor.report(SOURCE).findings())
        .extracting(Finding::rule)
        .containsExactly(Rule.KEY_IN_USE, Rule.PLAINTEXT_IN_HISTORY);
  }

  private AuditReport audit(ObjectCheck check) throws Exception {
    var auditor = new Auditor(SECRETS, Optional.of(check), Optional.empty(), 1000);
    Path path = directory.resolve("public-cluster.db");
    if (!Files.exists(path)) {
      Vectors.unpack("public-cluster.db", directory);
    }
    try (EtcdFile file = EtcdFile.open(path)) {
      file.mvcc()
          .forEach((record, live) -> {
            if (live) {
              auditor.add(Location.LIVE, record.key(), record.value(), record.modRevision());
            }
          });
    }
    return auditor.report(SOURCE);
  }
}
