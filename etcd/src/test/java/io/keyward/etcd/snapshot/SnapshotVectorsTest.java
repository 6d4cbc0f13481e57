package io.keyward.etcd.snapshot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.etcd.bolt.BoltException;
import io.keyward.etcd.bolt.Bucket;
import io.keyward.etcd.bolt.PageProblem;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.mvcc.DatabaseFacts;
import io.keyward.etcd.mvcc.KeyRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Files written by real etcd and bbolt code, and what a reader must find in them.
final class SnapshotVectorsTest {
  private static final Map<String, JsonNode> EXPECTED = new HashMap<>();

  @TempDir private static Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    var json = new ObjectMapper();
    try (var lines =
        new BufferedReader(new InputStreamReader(vector("public-snapshots.jsonl"), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode expected = json.readTree(line);
        String file = expected.get("file").asText();
        EXPECTED.put(file, expected);
        try (InputStream packed = vector(file)) {
          Files.copy(packed, directory.resolve(file));
        }
      }
    }
    assertThat(EXPECTED).hasSize(12);
  }

  private static InputStream vector(String name) throws IOException {
    return new GZIPInputStream(
        Objects.requireNonNull(
            SnapshotVectorsTest.class.getResourceAsStream("/vectors/" + name + ".gz")));
  }

  @TestFactory
  Stream<DynamicTest> findsWhatEtcdWrote() {
    return EXPECTED.values().stream()
        .map(expected ->
            DynamicTest.dynamicTest(expected.get("file").asText(), () -> check(expected)));
  }

  private static void check(JsonNode expected) throws Exception {
    Path path = directory.resolve(expected.get("file").asText());
    byte[] before = Files.readAllBytes(path);
    if (!expected.get("readable").asBoolean()) {
      assertThatThrownBy(() -> EtcdFile.open(path).close()).isInstanceOf(BoltException.class);
      return;
    }
    try (EtcdFile file = EtcdFile.open(path)) {
      assertThat(file.pageSize()).isEqualTo(expected.get("pageSize").asInt());
      assertThat(file.txid()).isEqualTo(expected.get("txid").asLong());
      assertThat(file.trailer()).isEqualTo(trailer(expected));
      checkFacts(file.facts(), expected);
      assertThat(statusHash(file)).isEqualTo(expected.get("etcdutlStatusHash").asText());
      checkRecords(file, expected);
      checkResidue(file, expected);
      assertThat(file.problems())
          .extracting(PageProblem::kind)
          .containsExactlyElementsOf(
              expected.get("file").asText().contains("badmeta0")
                  ? List.of(PageProblem.Kind.BAD_META)
                  : List.of());
    }
    assertThat(Files.readAllBytes(path)).as("read only").isEqualTo(before);
  }

  private static Trailer trailer(JsonNode expected) {
    if (!expected.get("sha256Trailer").asBoolean()) {
      return Trailer.ABSENT;
    }
    return expected.get("sha256TrailerValid").asBoolean() ? Trailer.VALID : Trailer.INVALID;
  }

  private static void checkFacts(DatabaseFacts facts, JsonNode expected) {
    assertThat(facts.buckets()).isEqualTo(texts(expected.get("buckets")));
    assertThat(facts.consistentIndex()).isEqualTo(number(expected, "consistentIndex"));
    assertThat(facts.term()).isEqualTo(number(expected, "term"));
    assertThat(facts.storageVersion().orElse("")).isEqualTo(text(expected, "storageVersion"));
    assertThat(facts.clusterVersion().orElse("")).isEqualTo(text(expected, "clusterVersion"));
    assertThat(facts.compacted()).isEqualTo(number(expected, "finishedCompactRev"));
    assertThat(facts.currentRevision()).isEqualTo(expected.get("currentRevision").asLong());
  }

  private static List<String> texts(JsonNode list) {
    var texts = new ArrayList<String>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static OptionalLong number(JsonNode expected, String field) {
    return expected.has(field)
        ? OptionalLong.of(expected.get(field).asLong())
        : OptionalLong.empty();
  }

  private static String text(JsonNode expected, String field) {
    return expected.path(field).asText();
  }

  /// What `etcdutl snapshot status` prints: a sum over every byte of every bucket.
  private static String statusHash(EtcdFile file) {
    var sum = new CRC32C();
    for (Bucket bucket : file.bolt().buckets()) {
      sum.update(bucket.name().toBuffer());
      file.bolt()
          .walk(
              bucket,
              element -> {
                sum.update(element.key().toBuffer());
                sum.update(element.value().toBuffer());
              });
    }
    return Long.toHexString(sum.getValue());
  }

  private static void checkRecords(EtcdFile file, JsonNode expected) {
    var history = new ArrayList<String>();
    var live = new TreeMap<ByteView, String>();
    file.mvcc()
        .forEach((record, isLive) -> {
          history.add(show(record));
          if (isLive) {
            live.put(record.key(), show(record));
          }
        });
    assertThat(file.mvcc().liveKeys()).isEqualTo(expected.get("liveKeys").asInt());
    assertThat(file.mvcc().revisions()).isEqualTo(expected.get("revisions").asInt());
    assertThat(live).hasSize(expected.get("liveKeys").asInt());
    if (expected.has("history")) {
      assertThat(history).isEqualTo(shown(expected.get("history")));
    }
    JsonNode same =
        expected.has("liveSameAs")
            ? Objects.requireNonNull(EXPECTED.get(expected.get("liveSameAs").asText()))
            : expected;
    assertThat(List.copyOf(live.values())).isEqualTo(shown(same.path("live")));
  }

  private static List<String> shown(JsonNode records) {
    var shown = new ArrayList<String>();
    for (JsonNode record : records) {
      shown.add(
          record.get("main").asLong()
              + "/"
              + record.get("sub").asLong()
              + (record.path("tombstone").asBoolean() ? " deleted " : " ")
              + record.get("key").asText()
              + " "
              + record.path("createRevision").asLong()
              + " "
              + record.path("modRevision").asLong()
              + " "
              + record.path("version").asLong()
              + " "
              + record.path("lease").asLong()
              + " "
              + record.path("valueSha256").asText());
    }
    return shown;
  }

  private static String show(KeyRecord record) {
    return record.revision().main()
        + "/"
        + record.revision().sub()
        + (record.isTombstone() ? " deleted " : " ")
        + record
            .key()
            .utf8()
            .orElseGet(() -> "hex:" + HexFormat.of().formatHex(record.key().toArray()))
        + " "
        + record.createRevision()
        + " "
        + record.modRevision()
        + " "
        + record.version()
        + " "
        + record.lease()
        + " "
        + (record.isTombstone() ? "" : sha256(record.value()));
  }

  private static String sha256(ByteView value) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value.toArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static void checkResidue(EtcdFile file, JsonNode expected) {
    String marker = expected.path("residueMarker").asText();
    var found = new ArrayList<ByteView>();
    file.mvcc().forEachResidue((record, _) -> found.add(record.value()));
    if (!marker.isEmpty()) {
      long marked = found.stream().filter(value -> contains(value, marker)).count();
      assertThat(marked).isEqualTo(expected.get("residueMarkerCount").asLong());
    }
    if (expected.get("file").asText().equals("public-defrag.db")) {
      assertThat(found).as("defragmentation leaves nothing").isEmpty();
    }
  }

  private static boolean contains(ByteView value, String marker) {
    return new String(value.toArray(), ISO_8859_1).contains(marker);
  }
}
