package io.keyward.etcd.bolt;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.etcd.mvcc.MvccReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A file has the byte order and the page size of the machine that wrote it. There is no machine of
/// the other order here, so a file of this one is turned around, number by number.
final class ByteOrderTest {
  private static final int LEAF = 2;
  private static final int BRANCH = 1;
  private static final int META = 4;
  private static final int FREELIST = 16;

  @ParameterizedTest
  @CsvSource({"public-small.db,4096", "public-page16k.db,16384", "public-page64k.db,65536"})
  void fact19FilesOfOtherByteOrdersAndPageSizesHoldTheSame(String name, int pageSize)
      throws IOException {
    byte[] little = file(name);
    List<String> records = records(little);
    assertThat(records).isNotEmpty();
    assertThat(records(turned(little, pageSize))).isEqualTo(records);
  }

  private static List<String> records(byte[] file) {
    var segment = MemorySegment.ofArray(file);
    var bolt = BoltFile.open(segment);
    var records = new ArrayList<String>();
    new MvccReader(bolt)
        .forEach((record, live) ->
            records.add(
                record.key().utf8().orElse("?")
                    + " "
                    + record.main()
                    + " "
                    + live
                    + " "
                    + record.value().hashCode()));
    assertThat(bolt.problems()).isEmpty();
    return records;
  }

  private static byte[] turned(byte[] little, int pageSize) {
    var from = ByteBuffer.wrap(little).order(ByteOrder.LITTLE_ENDIAN);
    var to = ByteBuffer.wrap(little.clone()).order(ByteOrder.BIG_ENDIAN);
    int page = 0;
    while ((page + 1) * pageSize <= little.length) {
      int at = page * pageSize;
      int overflow = from.getLong(at) == page ? from.getInt(at + 12) : 0;
      if (from.getLong(at) == page) {
        turnPage(from, to, at);
      }
      page += 1 + Math.max(0, overflow);
    }
    return to.array();
  }

  private static void turnPage(ByteBuffer from, ByteBuffer to, int at) {
    int flags = from.getShort(at + 8);
    int count = from.getShort(at + 10) & 0xffff;
    longs(from, to, at, 1);
    to.putShort(at + 8, from.getShort(at + 8)).putShort(at + 10, from.getShort(at + 10));
    ints(from, to, at + 12, 1);
    switch (flags) {
      case META -> {
        ints(from, to, at + 16, 4);
        longs(from, to, at + 32, 5);
        to.putLong(at + 72, fnv(to, at + 16, 56));
      }
      case FREELIST -> longs(from, to, at + 16, count == 0xffff ? 1 + from.getInt(at + 16) : count);
      case BRANCH -> {
        for (int i = 0; i < count; i++) {
          ints(from, to, at + 16 + 16 * i, 2);
          longs(from, to, at + 24 + 16 * i, 1);
        }
      }
      case LEAF -> {
        for (int i = 0; i < count; i++) {
          int element = at + 16 + 16 * i;
          ints(from, to, element, 4);
          if (from.getInt(element) == 1) {
            turnBucket(from, to, element + from.getInt(element + 4) + from.getInt(element + 8));
          }
        }
      }
      default -> {}
    }
  }

  private static void turnBucket(ByteBuffer from, ByteBuffer to, int at) {
    longs(from, to, at, 2);
    if (from.getLong(at) == 0) {
      turnPage(from, to, at + 16);
    }
  }

  private static void longs(ByteBuffer from, ByteBuffer to, int at, int count) {
    for (int i = 0; i < count; i++) {
      to.putLong(at + 8 * i, from.getLong(at + 8 * i));
    }
  }

  private static void ints(ByteBuffer from, ByteBuffer to, int at, int count) {
    for (int i = 0; i < count; i++) {
      to.putInt(at + 4 * i, from.getInt(at + 4 * i));
    }
  }

  private static long fnv(ByteBuffer bytes, int at, int count) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < count; i++) {
      hash = (hash ^ (bytes.get(at + i) & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }

  private static byte[] file(String name) throws IOException {
    try (InputStream packed =
        new GZIPInputStream(
            Objects.requireNonNull(
                ByteOrderTest.class.getResourceAsStream("/vectors/" + name + ".gz")))) {
      byte[] file = packed.readAllBytes();
      // Without the digest of a snapshot.
      return Arrays.copyOf(file, file.length / 512 * 512);
    }
  }
}
