package io.keyward.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
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
          nothing is expected to be encrypted    | --expect-encrypted leases.coordination.k8s.io.none | 0 | ''
          a key that is used                     | --unused-key cbc-public          | 1    | key-in-use
          a key with a colon                     | --unused-key sb:public           | 1    | key-in-use
          a key that nobody knows                | --unused-key nobody --expect-encrypted nothing | 0 | ''
          a KEK that is used                     | --unused-kek kek-public-1        | 1    | kek-in-use
          a KEK that nobody knows                | --unused-kek kek-public-9 --expect-encrypted nothing | 0 | ''
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
    Cli.Result result = audit("public-cluster.db", "-o", "json", "--config", config.toString());
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
  void htmlNeedsNothingElseAndEscapesNames() {
    String page = audit("public-cluster.db", "-o", "html").out();
    assertThat(page).contains("class=\"bar\"").doesNotContain("<script").doesNotContain("src=");
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
