package io.keyward.etcd.wal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The segment was written by etcd 3.6.8: twenty keys in plaintext, then the same keys sealed.
final class WalFileTest {
  @TempDir private Path directory;

  @Test
  void findsEveryPutInARealSegment() throws IOException {
    var values = new ArrayList<String>();
    WalFile.End end = read(segment(), values);
    assertThat(end.damaged()).isFalse();
    assertThat(end.wrongSums()).isZero();
    assertThat(values).hasSize(40);
    assertThat(values.subList(0, 20)).allMatch(put -> put.contains("PLAIN"));
    assertThat(values.subList(20, 40)).allMatch(put -> put.contains("k8s:enc:kms:v2:"));
    assertThat(values.getFirst()).startsWith("/registry/secrets/shop/s1 ");
  }

  @Test
  void findsPutsInBothBranchesOfATransaction() throws IOException {
    // A record of type entry: a transaction with a put in each branch, and one nested.
    String put = "0a016b120176";
    String operation = "1206" + put;
    String nested = "220a" + "1208" + operation;
    String transaction = "1208" + operation + "1a08" + operation + "120c" + nested;
    String request = "3222" + transaction;
    String entry = "2224" + request;
    String record = "08021a26" + entry;
    var values = new ArrayList<String>();
    assertThat(read(framed(record), values).damaged()).isFalse();
    assertThat(values).containsExactly("k v", "k v", "k v");
  }

  @Test
  void damageEndsTheSegmentAndSaysWhere() throws IOException {
    byte[] whole = segment();
    var values = new ArrayList<String>();
    byte[] damaged = Arrays.copyOf(whole, whole.length);
    // The frame of the first record claims more than any record has.
    damaged[6] = 0x7f;
    WalFile.End end = read(damaged, values);
    assertThat(end.damaged()).isTrue();
    assertThat(end.at()).isZero();
    assertThat(end.records()).isZero();
    assertThat(values).isEmpty();
  }

  @Test
  void oneChangedByteIsOneWrongSumAndTheRestIsStillRead() throws IOException {
    byte[] damaged = segment();
    int place = show(damaged).indexOf("PLAIN");
    damaged[place] = 'p';
    var values = new ArrayList<String>();
    WalFile.End end = read(damaged, values);
    assertThat(end.damaged()).isFalse();
    assertThat(end.wrongSums()).isOne();
    assertThat(end.firstWrong()).isPositive().isLessThan(place);
    assertThat(values).hasSize(40).element(0).asString().contains("pLAIN");
  }

  @Test
  void aHoleOfZerosIsNotTheEnd() throws IOException {
    byte[] damaged = segment();
    int place = show(damaged).indexOf("PLAIN") & ~511;
    Arrays.fill(damaged, place, place + 512, (byte) 0);
    assertThat(read(damaged, new ArrayList<>()).damaged()).isTrue();
  }

  @Test
  void everyEntryHasItsIndex() throws IOException {
    Path file = Files.write(directory.resolve("0.wal"), segment());
    var indexes = new ArrayList<Long>();
    WalFile.End end = WalFile.read(file, (index, _, _) -> indexes.add(index));
    assertThat(indexes).hasSize(40).isSorted().doesNotHaveDuplicates();
    assertThat(indexes.getLast()).isLessThanOrEqualTo(end.lastIndex());
  }

  /// Not behind the last entry: there, zeros are the honest end.
  @Test
  void finding04EveryFlippedBitShows() throws IOException {
    byte[] whole = segment();
    String text = show(whole);
    int last = text.lastIndexOf("/registry/secrets/shop/");
    // 64 MB of zeros follow, which would be read each time.
    byte[] damaged = Arrays.copyOf(whole, (last & ~4095) + 8192);
    assertThat(WalFile.read(new ByteArrayInputStream(damaged), (_, _, _) -> {}).wrongSums())
        .isZero();
    for (int bit = 0; bit < last * 8; bit++) {
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      WalFile.End end = WalFile.read(new ByteArrayInputStream(damaged), (_, _, _) -> {});
      assertThat(end.damaged() || end.wrongSums() > 0)
          .as("bit " + bit % 8 + " of byte " + bit / 8)
          .isTrue();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
    }
  }

  @Test
  void everyDamageIsAnsweredWithoutACrash() throws IOException {
    byte[] whole = segment();
    for (int seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      byte[] damaged = Arrays.copyOf(whole, random.nextInt(whole.length));
      for (int i = 0; i < 10 && damaged.length > 0; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      assertThat(read(damaged, new ArrayList<>())).isNotNull();
    }
  }

  private WalFile.End read(byte[] segment, List<String> values) throws IOException {
    Path file = directory.resolve("0.wal");
    Files.write(file, segment);
    return WalFile.read(
        file, (_, key, value) -> values.add(show(key.toArray()) + " " + show(value.toArray())));
  }

  private static String show(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  private static byte[] framed(String hex) {
    byte[] record = HexFormat.of().parseHex(hex);
    int padding = (8 - record.length % 8) % 8;
    var framed = new byte[8 + record.length + padding];
    framed[0] = (byte) record.length;
    framed[7] = (byte) (padding == 0 ? 0 : 0x80 | padding);
    System.arraycopy(record, 0, framed, 8, record.length);
    return framed;
  }

  private static byte[] segment() throws IOException {
    try (InputStream packed =
        new GZIPInputStream(
            Objects.requireNonNull(
                WalFileTest.class.getResourceAsStream("/vectors/forty-puts.wal.gz")))) {
      return packed.readAllBytes();
    }
  }
}
