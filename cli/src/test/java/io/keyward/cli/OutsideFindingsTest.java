package io.keyward.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What was found from outside about commands that give a verdict. The number in a name is that of
/// the finding; each test was seen to fail before its fix.
final class OutsideFindingsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAGE = 4096;

  @TempDir private Path directory;
  private Path snapshot = Path.of("");
  private Path config = Path.of("");

  @BeforeEach
  void unpack() {
    snapshot = Cli.vector("public-cluster.db", directory);
    config = Cli.vector("public-cluster-config.json", directory);
  }

  @ParameterizedTest(name = "finding01: {0}")
  @ValueSource(
      strings = {
        "audit --snapshot SNAPSHOT --needs",
        "audit --snapshot SNAPSHOT -o json",
        "audit --snapshot SNAPSHOT -o html",
        "config validate CONFIG",
        "config validate CONFIG -o json",
        "inspect --key /registry/secrets/a/b CONFIG",
        "recover --snapshot SNAPSHOT --encryption-config CONFIG --key /registry/secrets/default/aescbc-0"
            + " --stdout",
        "--help"
      })
  void finding01AFullDiskIsAFailure(String command) throws IOException {
    String[] words =
        command
            .replace("SNAPSHOT", snapshot.toString())
            .replace("CONFIG", config.toString())
            .split(" ", -1);
    try (OutputStream full = new FileOutputStream("/dev/full")) {
      Cli.Result result = Cli.run(full, words);
      assertThat(result.exit()).as(result.err()).isEqualTo(2);
      assertThat(result.err())
          .contains("cannot write to standard output")
          .doesNotContain("recovered");
    }
  }

  @Test
  void finding02RecoverySaysThatTheFileIsDamaged() throws IOException {
    byte[] bytes = Files.readAllBytes(snapshot);
    int leaf = leafWith(bytes, "/registry/secrets/default/aescbc-0");
    Arrays.fill(bytes, leaf, leaf + PAGE, (byte) 0);
    for (int cut : new int[] {0, 32}) {
      Path damaged = directory.resolve("damaged" + cut);
      Files.write(damaged, Arrays.copyOf(bytes, bytes.length - cut));
      Path target = directory.resolve("rescued" + cut);
      Cli.Result result =
          Cli.run(
              "recover",
              "--snapshot",
              damaged.toString(),
              "--encryption-config",
              config.toString(),
              "--key",
              "/registry/**",
              "--to",
              target.toString());
      assertThat(result.exit()).as(result.err()).isEqualTo(1);
      assertThat(result.err())
          .contains("The snapshot is damaged")
          .contains("may be missing")
          .contains("page " + leaf / PAGE);
      assertThat(Files.readString(target.resolve("index.tsv"))).contains("coverage: INCOMPLETE");
    }
  }

  @Test
  void finding02ATruncatedSnapshotIsNotAnEmptyOne() throws IOException {
    Path cut = truncated();
    Cli.Result result =
        Cli.run(
            "recover",
            "--snapshot",
            cut.toString(),
            "--encryption-config",
            config.toString(),
            "--key",
            "/registry/nothing/**",
            "--stdout");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("damaged").doesNotContain("no live key matches");
  }

  @ParameterizedTest(name = "finding03: {0}")
  @ValueSource(
      strings = {
        "--needs",
        "--needs -o json",
        "--unused-key nobody --expect-encrypted x --allow-absent",
        "--expect-encrypted x --allow-absent --max-findings 0",
        "--unused-kek nobody --expect-encrypted x --allow-absent -o json"
      })
  void finding03ADamagedFileNeverAnswersWithYes(String question) throws IOException {
    for (Path damaged : List.of(truncated(), Cli.vector("public-badsum.db", directory))) {
      Cli.Result result = audit(damaged, question);
      assertThat(result.exit()).as(result.out()).isEqualTo(1);
      String first = result.out().lines().limit(20).toList().toString();
      assertThat(first).containsAnyOf("INCOMPLETE", "\"complete\" : false");
    }
    assertThat(audit(snapshot, question).exit()).as("the intact file").isZero();
  }

  @Test
  void finding03EveryReportShowsItsCoverage() throws IOException {
    JsonNode whole = JSON.readTree(audit(snapshot, "-o json").out()).get("coverage");
    assertThat(whole.get("complete").asBoolean()).isTrue();
    assertThat(whole.get("reasons")).isEmpty();
    JsonNode cut = JSON.readTree(audit(truncated(), "-o json").out()).get("coverage");
    assertThat(cut.get("complete").asBoolean()).isFalse();
    assertThat(cut.get("reasons").toString()).contains("the file ends before this page");
    String page = audit(truncated(), "-o html").out();
    assertThat(page.indexOf("Coverage: INCOMPLETE")).isBetween(0, page.indexOf("<h2>"));
    assertThat(audit(snapshot, "").out()).contains("coverage: complete");
  }

  @Test
  void finding03InspectSaysThatItSawAPart() throws IOException {
    String answer = "{\"kvs\":[{\"key\":\"YQ==\",\"value\":\"YQ==\"}],\"more\":true,\"count\":7}";
    java.io.InputStream before = System.in;
    try (var in = new java.io.ByteArrayInputStream(answer.getBytes(UTF_8))) {
      System.setIn(in);
      Cli.Result result = Cli.run("inspect", "-o", "json");
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.err()).contains("found 7 keys and printed 1");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void finding11AFileThatIsCutWhileItIsReadIsNoDefect() throws IOException {
    var words = new java.io.StringWriter();
    try (var file = io.keyward.etcd.snapshot.EtcdFile.open(snapshot);
        var channel =
            java.nio.channels.FileChannel.open(snapshot, java.nio.file.StandardOpenOption.WRITE)) {
      channel.truncate(PAGE);
      try {
        throw new AssertionError(file.trailer().name());
      } catch (InternalError fault) {
        int exit = Unexpected.explain(fault, new java.io.PrintWriter(words));
        assertThat(exit).isEqualTo(2);
      }
    }
    assertThat(words.toString()).contains("truncated while it was being read");
  }

  @Test
  void finding07ArgumentsThatWereNotDecodedAreRefused() {
    Cli.Result result = audit(snapshot, "--unused-key schl\ufffd\ufffdssel");
    assertThat(result.exit()).isEqualTo(64);
    assertThat(result.err()).contains("not valid UTF-8");
  }

  @ParameterizedTest(name = "finding10: {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --expect-encrypted Secrets            | 64 | takes resources
          --expect-encrypted ,                  | 64 | needs a name
          --expect-encrypted=                   | 64 | takes resources
          --expect-encrypted secrets/status     | 64 | takes resources
          --unused-key=                         | 64 | needs a name
          --unused-kek=                         | 64 | key_id
          --unused-kek sha256:zz                | 64 | 64 hexadecimal digits
          --expect-key=                         | 64 | needs a name
          --expect-encrypted sercets            | 1  | absent-resource
          --expect-encrypted sercets --allow-absent | 0 | no findings
          --expect-encrypted *.nothing.example  | 1  | absent-resource
          """)
  void finding10AMisspeltQuestionIsNotAnsweredWithYes(String question, int exit, String word) {
    Cli.Result result = audit(snapshot, question);
    assertThat(result.exit()).as(result.out() + result.err()).isEqualTo(exit);
    assertThat(result.out() + result.err()).contains(word);
  }

  @Test
  void finding11AnythingUnexpectedIsOneSentenceAndExitTwo() throws IOException {
    Path missing = directory.resolve("missing");
    Path empty = Files.createFile(directory.resolve("empty"));
    for (Path kubeconfig : List.of(missing, empty, directory)) {
      for (String command : List.of("status", "explain", "operator")) {
        Cli.Result result = Cli.run(command, "--kubeconfig", kubeconfig.toString());
        assertThat(result.exit()).as(result.err()).isEqualTo(2);
        assertThat(result.err())
            .contains(kubeconfig.toString())
            .doesNotContain("\tat ", "Exception");
      }
    }
  }

  @Test
  void finding12NamesCannotSteerTheTerminal() throws IOException {
    String key = "/registry/roles/a/\u001b[2J\nx\u202e";
    Path value = Files.writeString(directory.resolve("value"), "k8s:enc:aescbc:v1:\u001b[31m:x");
    Cli.Result result = Cli.run("inspect", "--key", key, value.toString());
    assertThat(result.out())
        .contains("\\x1b[2J\\nx\\u202e")
        .contains("\\x1b[31m")
        .doesNotContain("\u001b", "\u202e");
  }

  @Test
  void finding30ADirectoryIsNotASnapshot() {
    Cli.Result result = audit(directory, "");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("is a directory").contains("--data-dir");
  }

  private Path truncated() throws IOException {
    byte[] bytes = Files.readAllBytes(snapshot);
    Path cut = directory.resolve("cut");
    return Files.write(cut, Arrays.copyOf(bytes, bytes.length / PAGE / 2 * PAGE));
  }

  private static Cli.Result audit(Path file, String options) {
    String[] words = options.isEmpty() ? new String[0] : options.split(" ", -1);
    String[] all =
        Arrays.copyOf(new String[] {"audit", "--snapshot", file.toString()}, 3 + words.length);
    System.arraycopy(words, 0, all, 3, words.length);
    return Cli.run(all);
  }

  /// Where the page begins that holds the last version of a key.
  private static int leafWith(byte[] file, String key) {
    String text = new String(file, java.nio.charset.StandardCharsets.ISO_8859_1);
    return text.lastIndexOf(key) / PAGE * PAGE;
  }
}
