package io.keyward.etcd.bolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.etcd.mvcc.MvccReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

final class DamagedFileTest {
  private static final int PAGE = 4096;

  private final byte[] sound = read("public-small.db");

  @Test
  void everyCutOfTheFileIsAnsweredWithoutACrash() {
    for (int size = 0; size < sound.length; size += 97) {
      survey(Arrays.copyOf(sound, size));
    }
  }

  @Test
  void everyDamageIsAnsweredWithoutACrashOrAHang() {
    for (int seed = 0; seed < 3_000; seed++) {
      var random = new Random(seed);
      byte[] damaged = sound.clone();
      for (int i = 0; i < 20; i++) {
        // The meta pages have checksums; damage behind them reaches the reader.
        damaged[2 * PAGE + random.nextInt(sound.length - 2 * PAGE)] = (byte) random.nextInt();
      }
      survey(damaged);
    }
  }

  @Test
  void aBranchThatPointsToItselfIsNoted() {
    byte[] large = read("public-large.db");
    BoltFile file = BoltFile.open(MemorySegment.ofArray(large));
    long root = file.bucket("key").orElseThrow().root();
    int firstChild = (int) root * PAGE + 16 + 8;
    for (int i = 0; i < 8; i++) {
      large[firstChild + i] = (byte) (root >>> (8 * i));
    }
    assertThat(problems(large)).contains(new PageProblem(root, PageProblem.Kind.SEEN_TWICE));
  }

  @Test
  void aPageBehindTheEndIsNotedAndTheRestIsRead() {
    byte[] large = read("public-large.db");
    BoltFile file = BoltFile.open(MemorySegment.ofArray(large));
    int firstChild = (int) file.bucket("key").orElseThrow().root() * PAGE + 16 + 8;
    large[firstChild + 6] = 1;
    MemorySegment damaged = MemorySegment.ofArray(large);
    BoltFile reread = BoltFile.open(damaged);
    assertThat(new MvccReader(reread).revisions()).isBetween(1, 4469);
    assertThat(reread.problems().getFirst().kind()).isEqualTo(PageProblem.Kind.BEYOND_END);
  }

  @Test
  void whatIsNoDatabaseSaysSo() {
    assertKind(new byte[100], BoltException.Kind.TOO_SHORT);
    assertKind(new byte[100_000], BoltException.Kind.NOT_BOLT);
    byte[] damaged = sound.clone();
    damaged[16 + 30] ^= 1;
    damaged[PAGE + 16 + 30] ^= 1;
    assertKind(damaged, BoltException.Kind.BAD_META);
    damaged[16 + 4] = 9;
    assertKind(damaged, BoltException.Kind.UNKNOWN_VERSION);
  }

  private static void assertKind(byte[] file, BoltException.Kind kind) {
    assertThatThrownBy(() -> BoltFile.open(MemorySegment.ofArray(file)))
        .isInstanceOfSatisfying(
            BoltException.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }

  private static Iterable<PageProblem> problems(byte[] file) {
    MemorySegment segment = MemorySegment.ofArray(file);
    BoltFile bolt = BoltFile.open(segment);
    assertThat(new MvccReader(bolt).revisions()).isNotNegative();
    return bolt.problems();
  }

  /// Reads everything there is to read.
  private static void survey(byte[] bytes) {
    MemorySegment segment = MemorySegment.ofArray(bytes);
    try {
      BoltFile file = BoltFile.open(segment);
      var reader = new MvccReader(file);
      var sizes = new ArrayList<Integer>();
      reader.forEach((record, _) -> sizes.add(record.key().size() + record.value().size()));
      reader.forEachResidue((record, _) -> sizes.add(record.value().size()));
      assertThat(reader.liveKeys()).isBetween(0, sizes.size());
    } catch (BoltException refused) {
      assertThat(refused.kind()).isNotNull();
    }
  }

  private static byte[] read(String name) {
    try (InputStream packed =
        new GZIPInputStream(
            Objects.requireNonNull(
                DamagedFileTest.class.getResourceAsStream("/vectors/" + name + ".gz")))) {
      return packed.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
