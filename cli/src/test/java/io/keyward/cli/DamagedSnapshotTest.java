package io.keyward.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.etcd.bolt.BoltFile;
import io.keyward.etcd.snapshot.EtcdFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damages a real snapshot at random. No question is answered better than for the intact file, and
/// what is still whole is recovered. A failure names its seed.
final class DamagedSnapshotTest {
  private static final int PAGE = 4096;
  private static final int DIGEST = 32;
  private static final int ROUNDS = Integer.getInteger("keyward.damage.rounds", 60);

  private static final List<List<String>> QUESTIONS =
      List.of(
          List.of("--needs"),
          List.of("--expect-encrypted", "secrets"),
          List.of("--expect-encrypted", "x", "--allow-absent", "--unused-key", "cbc-public"),
          List.of("--expect-encrypted", "x", "--allow-absent", "--unused-key", "nobody"),
          List.of("--expect-encrypted", "x", "--allow-absent", "--unused-kek", "kek-public-1"));

  @TempDir private Path directory;
  private byte[] sound = new byte[0];
  private Path config = Path.of("");

  /// The first page of the leaf that holds the newest version of each key, and of all later ones.
  private final Map<String, int[]> leaves = new HashMap<>();

  @BeforeEach
  void unpack() throws IOException {
    Path snapshot = Cli.vector("public-cluster.db", directory);
    config = Cli.vector("public-cluster-config.json", directory);
    sound = Files.readAllBytes(snapshot);
    try (EtcdFile file = EtcdFile.open(snapshot)) {
      Map<Long, Long> pages = new HashMap<>();
      BoltFile bolt = file.bolt();
      bolt.walk(
          bolt.bucket("key").orElseThrow(), element -> pages.put(element.at(), element.page()));
      file.mvcc()
          .forEach((record, live) -> {
            if (live) {
              int page = Math.toIntExact(pages.getOrDefault(record.elementAt(), 0L));
              leaves.put(record.key().utf8().orElse("?"), new int[] {page, page + overflow(page)});
            }
          });
    }
  }

  private int overflow(int page) {
    int at = page * PAGE + 12;
    return (sound[at] & 0xff) | (sound[at + 1] & 0xff) << 8;
  }

  @Test
  void finding03WithADigestNoDamageIsAnsweredWithYes() throws IOException {
    for (int seed = 0; seed < ROUNDS; seed++) {
      byte[] damaged = sound.clone();
      Damage damage = Damage.choose(new Random(seed), damaged);
      Path file = Files.write(directory.resolve("damaged"), damage.bytes());
      for (List<String> question : QUESTIONS) {
        Cli.Result result = audit(file, question);
        assertThat(result.exit()).as(seed + " " + damage + " " + question).isNotZero();
        assertThat(result.err()).as("seed " + seed).doesNotContain("internal error");
      }
    }
  }

  /// Without a digest only the structure can show damage: here whole pages, headers and tables.
  @Test
  void finding03WithoutADigestNothingIsAnsweredBetter() throws IOException {
    byte[] database = Arrays.copyOf(sound, sound.length - DIGEST);
    Path intact = Files.write(directory.resolve("intact"), database);
    Map<List<String>, Integer> before = new HashMap<>();
    QUESTIONS.forEach(question -> before.put(question, audit(intact, question).exit()));
    String needed = audit(intact, List.of("--needs")).out();
    for (int seed = 0; seed < ROUNDS; seed++) {
      Damage damage = Damage.ofStructure(new Random(seed), database.clone(), used());
      Path file = Files.write(directory.resolve("damaged"), damage.bytes());
      for (List<String> question : QUESTIONS) {
        Cli.Result result = audit(file, question);
        int exit = before.getOrDefault(question, 0);
        assertThat(result.exit())
            .as(seed + " " + damage + " " + question)
            .isGreaterThanOrEqualTo(exit);
        if (question.contains("--needs") && result.exit() == 0) {
          assertThat(result.out()).as(seed + " " + damage).isEqualTo(needed);
        }
      }
    }
  }

  @Test
  void finding02WhatIsStillWholeIsRecovered() throws IOException {
    Map<String, String> before = recover(sound, "whole");
    assertThat(before).hasSizeGreaterThan(200);
    for (int seed = 0; seed < ROUNDS / 3; seed++) {
      Damage damage = Damage.ofPages(new Random(seed), sound.clone(), 0);
      Map<String, String> after = recover(damage.bytes(), "rescued" + seed);
      before.forEach((key, object) -> {
        int[] leaf = leaves.getOrDefault(key, new int[] {0, 0});
        if (damage.spares(leaf[0], leaf[1])) {
          assertThat(after.get(key)).as(damage + " " + key).isEqualTo(object);
        }
      });
    }
  }

  /// Pages of the tree that holds the keys: damage to a free page changes no answer.
  private int[] used() {
    return leaves.values().stream().mapToInt(leaf -> leaf[0]).distinct().sorted().toArray();
  }

  /// The text of each recovered object by its key.
  private Map<String, String> recover(byte[] snapshot, String name) throws IOException {
    Path file = Files.write(directory.resolve("to-recover"), snapshot);
    Path target = directory.resolve(name);
    Cli.Result result =
        Cli.run(
            "recover",
            "--snapshot",
            file.toString(),
            "--encryption-config",
            config.toString(),
            "--key",
            "/registry/**",
            "--to",
            target.toString());
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    Map<String, String> objects = new TreeMap<>();
    if (!Files.exists(target)) {
      return objects;
    }
    for (String line : Files.readAllLines(target.resolve("index.tsv"))) {
      String[] parts = line.split("\t", -1);
      if (parts.length == 2) {
        objects.put(parts[1], Files.readString(target.resolve(parts[0]), ISO_8859_1));
      }
    }
    try (Stream<Path> files = Files.walk(target)) {
      for (Path left : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(left);
      }
    }
    return objects;
  }

  private static Cli.Result audit(Path file, List<String> question) {
    var words = new java.util.ArrayList<>(List.of("audit", "--snapshot", file.toString()));
    words.addAll(question);
    return Cli.run(words.toArray(String[]::new));
  }
}
