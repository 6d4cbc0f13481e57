package io.keyward.cli.audit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AuditCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  @Test
  void countsARealCluster() throws Exception {
    Cli.Result result = audit("public-cluster.db", "-o", "json");
    JsonNode json = JSON.readTree(result.out());
    assertThat(json.get("liveKeys").asInt()).isEqualTo(250);
    assertThat(json.get("trailer").toString()).isEqualTo("{\"present\":true,\"valid\":true}");
    long objects = 0;
    for (JsonNode resource : json.get("resources")) {
      objects += resource.get("objects").asLong();
    }
    assertThat(objects).isEqualTo(250);
    assertThat(json.get("needs").findValuesAsText("keyId"))
        .contains("kek-public-1", "kek-public-2");
    assertThat(result.exit()).as("some secrets are in plaintext").isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # question                             | options                          | exit | rule
          nothing is expected to be encrypted    | --expect-encrypted leases.coordination.k8s.io.none --allow-absent | 0 | ''
          a key that is used                     | --unused-key cbc-public          | 1    | key-in-use
          a key with a colon                     | --unused-key sb:public           | 1    | key-in-use
          a key that nobody knows                | --unused-key nobody --expect-encrypted nothing --allow-absent | 0 | ''
          a KEK that is used                     | --unused-kek kek-public-1        | 1    | kek-in-use
          a KEK that nobody knows                | --unused-kek kek-public-9 --expect-encrypted nothing --allow-absent | 0 | ''
          plaintext                              | --expect-encrypted *.*           | 1    | plaintext
          not all under one key                  | --expect-encrypted secrets --expect-key kms-public | 1 | unexpected-key
          """)
  void answersQuestionsByItsExitCode(String question, String options, int exit, String rule)
      throws Exception {
    String[] words = ("-o json " + options).split(" ", -1);
    Cli.Result result = audit("public-cluster.db", words);
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(JSON.readTree(result.out()).get("findingCounts").has(rule)).isEqualTo(exit == 1);
  }

  @Test
  void listsWhatABackupNeeds() {
    Cli.Result result = audit("public-cluster.db", "--needs");
    assertThat(result.exit()).isZero();
    assertThat(result.out())
        .contains("kms-v2\tkms-public\tkek-public-2")
        .contains("aescbc\tcbc-public\t-")
        .doesNotContain("identity");
  }

  @Test
  void aConfigurationTellsStaleFromUnreadable() throws Exception {
    Path config = Cli.vector("public-cluster-config.json", directory);
    Cli.Result result =
        audit("public-cluster.db", "-o", "json", "--encryption-config", config.toString());
    JsonNode counts = JSON.readTree(result.out()).get("findingCounts");
    assertThat(counts.has("stale")).isTrue();
    assertThat(counts.has("undecryptable")).isFalse();
  }

  @Test
  void aWrongDigestIsAFinding() {
    assertThat(audit("public-badsum.db").out()).contains("bad-digest").contains("digest WRONG");
  }

  @Test
  void everyFormHoldsTheFindingsAndNoValue() {
    for (String form : new String[] {"table", "json", "html", "sarif"}) {
      Cli.Result result = audit("public-small.db", "-o", form);
      assertThat(result.out()).as(form).contains("/registry/secrets/a/").contains("plaintext");
      assertThat(result.out()).as(form).doesNotContain("k8s:enc:");
    }
  }

  @Test
  void htmlNeedsNothingElse() {
    String page = audit("public-cluster.db", "-o", "html").out();
    assertThat(page)
        .doesNotContain("<script")
        .doesNotContain("src=")
        .doesNotContain("href=")
        .doesNotContain("url(")
        .doesNotContain("@import");
    assertThat(page.split("<h2>", -1))
        .extracting(part -> part.substring(0, part.indexOf('<')))
        .containsExactly(
            "",
            "Distribution",
            "Live objects",
            "Live objects by namespace",
            "History, until compaction",
            "Free pages, until defragmentation",
            "Keys needed to restore this",
            "Findings");
  }

  @Test
  void htmlPaintsOnlyThatPlaintextRedThatShouldBeEncrypted() {
    String page = audit("public-cluster.db", "-o", "html").out();
    assertThat(bar(page, "secrets")).contains("flex:2;background:#c0392b").contains("#1f5fa8");
    assertThat(bar(page, "namespaces")).contains("flex:4;background:#c9c9c9");
    String all = audit("public-cluster.db", "-o", "html", "--expect-encrypted", "*.*").out();
    assertThat(bar(all, "namespaces")).contains("flex:4;background:#c0392b");
    assertThat(bar(all, "(internal)")).contains("background:#c9c9c9");
  }

  private static String bar(String page, String resource) {
    int begin = page.indexOf("<tr><td><code>" + resource + "</code></td>");
    return page.substring(begin, page.indexOf("</tr>", begin));
  }

  @Test
  void htmlEscapesNames() throws Exception {
    Path file = Cli.vector("public-small.db", directory);
    Path odd = Files.copy(file, directory.resolve("<b>&\".db"));
    String page = Cli.run("audit", "--snapshot", odd.toString(), "-o", "html").out();
    assertThat(page).contains("/&lt;b&gt;&amp;&quot;.db").doesNotContain("<b>");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # file                | words
          public-badmeta.db     | both meta pages are damaged
          missing.db            | no such file
          text.db               | not an etcd database
          short.db              | too short to be an etcd database
          """)
  void whatCannotBeAuditedHasItsOwnSentence(String file, String words) throws Exception {
    Files.writeString(directory.resolve("text.db"), "nothing here".repeat(1000));
    Files.writeString(directory.resolve("short.db"), "short");
    Path path = file.startsWith("public") ? Cli.vector(file, directory) : directory.resolve(file);
    Cli.Result result = Cli.run("audit", "--snapshot", path.toString());
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains(words);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void theWriteAheadLogIsReadToo() throws Exception {
    Path dataDir = directory.resolve("data");
    Path log =
        Files.createDirectories(dataDir.resolve("member/wal"))
            .resolve("0000000000000000-0000000000000000.wal");
    Path snap = Files.createDirectories(dataDir.resolve("member/snap"));
    Files.move(Cli.vector("public-small.db", directory), snap.resolve("db"));
    Files.move(Cli.vector("forty-puts.wal", directory), log);
    JsonNode report = auditDataDir(dataDir);
    assertThat(report.at("/residue/wal/records").asInt()).isEqualTo(40);
    assertThat(report.at("/residue/wal/plaintext").asInt()).isEqualTo(20);
    assertThat(report.at("/findingCounts/plaintext-in-log").asInt()).isEqualTo(20);
    assertThat(damage(report)).isEmpty();

    byte[] bytes = Files.readAllBytes(log);
    int at = new String(bytes, ISO_8859_1).indexOf("PLAIN");
    bytes[at] = 'p';
    Files.write(log, bytes);
    JsonNode damaged = auditDataDir(dataDir);
    assertThat(damage(damaged)).singleElement().asString().contains("wrong checksum");
    assertThat(damaged.at("/residue/wal/plaintext").asInt()).isEqualTo(20);
    bytes[6] = 0x7f;
    Files.write(log, bytes);
    assertThat(damage(auditDataDir(dataDir)))
        .singleElement()
        .asString()
        .contains("is damaged at offset 0");
  }

  /// The database is not the one that this log was written for, which is a finding of its own.
  private static List<String> damage(JsonNode report) {
    return report.get("findings").findValuesAsText("detail").stream()
        .filter(detail -> detail.contains("offset"))
        .toList();
  }

  private static JsonNode auditDataDir(Path dataDir) throws Exception {
    Cli.Result result = Cli.run("audit", "--data-dir", dataDir.toString(), "-o", "json");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    return JSON.readTree(result.out());
  }

  @Test
  void aDamagedPageIsAFindingAndTheRestIsRead() throws Exception {
    Path file = Cli.vector("public-cluster.db", directory);
    byte[] bytes = Files.readAllBytes(file);
    int found = 0;
    for (int page = 3; page < bytes.length / 4096; page += 3) {
      byte kind = bytes[page * 4096 + 8];
      if (kind != 2) {
        continue;
      }
      bytes[page * 4096 + 8] = 0x77;
      Files.write(file, bytes);
      bytes[page * 4096 + 8] = kind;
      String options = "--expect-encrypted=none";
      Cli.Result result = Cli.run("audit", "--snapshot", file.toString(), options, "-o", "json");
      JsonNode report = JSON.readTree(result.out());
      assertThat(report.at("/findingCounts/bad-digest").asInt()).isOne();
      String where = "page " + page + ": ";
      found += report.get("findings").findValuesAsText("detail").toString().contains(where) ? 1 : 0;
    }
    assertThat(found).as("leaves that are in use").isGreaterThan(3);
  }

  @Test
  void aDirectoryMustBeEtcds() {
    Cli.Result result = Cli.run("audit", "--data-dir", directory.toString());
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("not a data directory of etcd");
  }

  @Test
  void oneTargetAtATime() {
    assertThat(Cli.run("audit").exit()).isEqualTo(64);
    assertThat(Cli.run("audit", "--snapshot", "a", "--data-dir", "b").exit()).isEqualTo(64);
  }

  private Cli.Result audit(String vector, String... options) {
    Path file = directory.resolve(vector);
    if (!Files.exists(file)) {
      Cli.vector(vector, directory);
    }
    var args = new String[options.length + 3];
    args[0] = "audit";
    args[1] = "--snapshot";
    args[2] = file.toString();
    System.arraycopy(options, 0, args, 3, options.length);
    return Cli.run(args);
  }
}
