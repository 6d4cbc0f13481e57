package io.keyward.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Files of a real etcd. It commits its database once an hour here, so that entries stay in the log
/// alone until it is killed. The number in a name is that of the finding from outside.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EtcdFilesIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LONG = "/registry/clusterroles/" + "x".repeat(1_500);
  private static final String USUAL = "/registry/configmaps/a/" + "y".repeat(253);

  private final String url = "http://127.0.0.1:" + Ports.free();
  private final String peer = "http://127.0.0.1:" + Ports.free();
  private Path directory = Path.of("");
  private Path data = Path.of("");
  private Path snapshot = Path.of("");
  private Path plain = Path.of("");
  private Cli.Result running = new Cli.Result(0, "", "");
  private Cli.Result live = new Cli.Result(0, "", "");
  private Cli.Result liveTable = new Cli.Result(0, "", "");

  @BeforeAll
  void killEtcdBeforeItAppliesItsLog(@TempDir Path temporary) throws IOException {
    directory = temporary;
    data = directory.resolve("data");
    snapshot = directory.resolve("backup.db");
    plain = Files.writeString(directory.resolve("plain.yaml"), PLAIN);
    try (ServerProcess etcd = start()) {
      Waiting.until(() -> ctl("endpoint", "health") == 0, Duration.ofMinutes(1));
      put("/registry/secrets/a/first", "k8s:enc:aescbc:v1:k1:sealed");
      put("/registry/secrets/a/schl", "k8s:enc:aescbc:v1:schlüssel:sealed");
      put(LONG, "{\"kind\":\"ClusterRole\",\"apiVersion\":\"rbac.authorization.k8s.io/v1\"}");
      put(USUAL, "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}");
      put("registry/configmaps/a/short", "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}");
      put("/registry/roles/a/two\nlines\u001b[2J", "{\"kind\":\"Role\",\"apiVersion\":\"x/v1\"}");
      put("/registry/configmaps/a/short", "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}");
      for (int i = 0; i < 20; i++) {
        put("/registry/configmaps/a/later" + i, "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}");
      }
      assertThat(ctl("snapshot", "save", snapshot.toString())).isZero();
      running = Cli.run("audit", "--data-dir", data.toString(), "-o", "json");
      live = Cli.run("audit", "--etcd", url, "--unused-key", "nobody", "-o", "json");
      liveTable = Cli.run("audit", "--etcd", url, "--unused-key", "nobody");
      put("/registry/secrets/a/last", "k8s:enc:aescbc:v1:k2:sealed");
      for (int i = 0; i < 20; i++) {
        put("/registry/configmaps/a/after" + i, "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}");
      }
      etcd.kill();
    }
  }

  private static final String PLAIN =
      """
      apiVersion: apiserver.config.k8s.io/v1
      kind: EncryptionConfiguration
      resources:
        - resources: ['*.*']
          providers:
            - identity: {}
      """;

  @AfterAll
  void etcdHasEnded() {
    assertThat(ctl("endpoint", "health")).isNotZero();
  }

  @Test
  void finding04WhatOnlyTheLogHoldsIsLive() throws IOException {
    Cli.Result used =
        audit(data, "--expect-encrypted", "x", "--allow-absent", "--unused-key", "k2");
    assertThat(used.exit()).as(used.out()).isEqualTo(1);
    JsonNode report = JSON.readTree(used.out());
    assertThat(report.at("/findingCounts/key-in-use").asInt()).isPositive();
    assertThat(report.at("/unapplied/records").asInt()).isPositive();
    assertThat(report.at("/coverage/complete").asBoolean()).as(used.out()).isTrue();
    assertThat(report.get("needs").findValuesAsText("name")).contains("k1", "k2");
    assertThat(
            audit(data, "--expect-encrypted", "x", "--allow-absent", "--unused-key", "k3").exit())
        .isZero();
  }

  @Test
  void finding05LongNamesAreRecoveredAndIndexed() throws IOException {
    Path target = directory.resolve("rescued");
    Cli.Result result = recover("/registry/**", target);
    assertThat(result.err()).contains("recovered 24 objects, failed 2");
    List<String> index = Files.readAllLines(target.resolve("index.tsv"));
    String line = index.stream().filter(one -> one.endsWith(LONG)).findFirst().orElseThrow();
    String file = line.substring(0, line.indexOf('\t'));
    assertThat(file.length()).isLessThan(256);
    assertThat(Files.readString(target.resolve(file))).contains("kind: ClusterRole");
    assertThat(index).anyMatch(one -> one.endsWith(USUAL));
  }

  /// Two keys that differ by their first slash alone want the same file.
  @Test
  void finding05OneFailureRemovesNothing() throws IOException {
    Path target = directory.resolve("clash");
    Cli.Result result = recover("**", target);
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    assertThat(result.err()).contains("cannot write it").contains("recovered 24 objects, failed 3");
    assertThat(Files.readString(target.resolve("index.tsv"))).contains(USUAL);
  }

  @Test
  void finding06NamesWithLineBreaksAreRecovered() throws IOException {
    Path target = directory.resolve("lines");
    Cli.Result result = recover("/registry/roles/**", target);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(Files.readString(target.resolve("index.tsv"))).contains("two\\nlines\\x1b[2J");
  }

  @Test
  void finding07KeyNamesAreNotAscii() {
    assertThat(
            audit(data, "--expect-encrypted", "x", "--allow-absent", "--unused-key", "schlüssel")
                .exit())
        .isEqualTo(1);
  }

  @Test
  void finding12NamesInTablesAreEscaped() {
    Cli.Result result =
        Cli.run("audit", "--snapshot", snapshot.toString(), "--expect-encrypted", "*.*");
    assertThat(result.out()).contains("two\\nlines\\x1b[2J").doesNotContain("\u001b");
  }

  @Test
  void finding14TheVerdictSaysWhatItCovers() throws IOException {
    assertThat(running.exit()).isEqualTo(1);
    JsonNode coverage = JSON.readTree(running.out()).get("coverage");
    assertThat(coverage.get("complete").asBoolean()).isFalse();
    assertThat(coverage.get("reasons").toString()).contains("etcd runs on");
    JsonNode limits = JSON.readTree(live.out()).at("/coverage/limits");
    assertThat(limits.toString()).contains("only live values");
    assertThat(liveTable.out()).contains("coverage: only live values");
  }

  /// Zeros up to the end of the last segment are how etcd itself leaves a log, so a log whose last
  /// entries are zeroed cannot be told from one that never had them. All other damage shows.
  @Test
  void finding04ADamagedLogProvesNothing() throws IOException {
    Path log = logOf(data);
    byte[] head = new byte[1 << 15];
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      file.readFully(head);
    }
    String text = new String(head, ISO_8859_1);
    int last = text.lastIndexOf("/registry/configmaps/a/after18");
    for (int seed = 0; seed < Integer.getInteger("keyward.damage.rounds", 60); seed++) {
      var random = new Random(seed);
      byte[] damaged = head.clone();
      int at = random.nextInt(last);
      long size = Files.size(log);
      switch (random.nextInt(3)) {
        case 0 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> java.util.Arrays.fill(damaged, at & ~7, (at & ~7) + 8, (byte) 0);
        default -> size = at;
      }
      Path copy = copyOf(data, "damaged" + seed);
      try (var file = new RandomAccessFile(logOf(copy).toFile(), "rw")) {
        file.write(damaged);
        file.setLength(size);
      }
      boolean changed = size != Files.size(log) || !java.util.Arrays.equals(damaged, head);
      Cli.Result result =
          audit(copy, "--expect-encrypted", "x", "--allow-absent", "--unused-key", "k2");
      assertThat(result.exit()).as("seed " + seed + ": " + result.out()).isEqualTo(1);
      assertThat(JSON.readTree(result.out()).at("/coverage/complete").asBoolean())
          .as("seed " + seed + " at " + at)
          .isEqualTo(!changed);
    }
  }

  private Path copyOf(Path from, String name) throws IOException {
    Path to = directory.resolve(name);
    Files.createDirectories(to.resolve("member/wal"));
    Files.createDirectories(to.resolve("member/snap"));
    Files.copy(from.resolve("member/snap/db"), to.resolve("member/snap/db"));
    // Sparse: the log is 64 MB of zeros behind some entries.
    try (var file =
        new RandomAccessFile(
            to.resolve("member/wal").resolve(logOf(from).getFileName()).toFile(), "rw")) {
      file.setLength(Files.size(logOf(from)));
    }
    return to;
  }

  private static Path logOf(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("member/wal"))) {
      return files.filter(file -> file.toString().endsWith(".wal")).findFirst().orElseThrow();
    }
  }

  private Cli.Result recover(String key, Path target) {
    return Cli.run(
        "recover",
        "--snapshot",
        snapshot.toString(),
        "--encryption-config",
        plain.toString(),
        "--key",
        key,
        "--to",
        target.toString());
  }

  private static Cli.Result audit(Path data, String... question) {
    var words = new ArrayList<>(List.of("audit", "--data-dir", data.toString(), "-o", "json"));
    words.addAll(List.of(question));
    return Cli.run(words.toArray(String[]::new));
  }

  private ServerProcess start() {
    return ServerProcess.start(
        new Launch(
            "etcd",
            List.of(
                ServerBinaries.ofThisMachine().ensure(ServerBinary.ETCD).toString(),
                "--data-dir=" + data,
                "--backend-batch-interval=1h",
                "--backend-batch-limit=1000000",
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer),
            Map.of(),
            directory.resolve("etcd.log"),
            Launch.Lifetime.WITH_JVM));
  }

  private void put(String key, String value) {
    assertThat(ctl("put", "--", key, value)).as(key).isZero();
  }

  private int ctl(String... arguments) {
    var command =
        new ArrayList<>(
            List.of(
                ServerBinaries.ofThisMachine().ensure(ServerBinary.ETCDCTL).toString(),
                "--endpoints=" + url));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("ctl.log").toFile())
              .start();
      return process.waitFor();
    } catch (IOException e) {
      throw new AssertionError("etcdctl does not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
