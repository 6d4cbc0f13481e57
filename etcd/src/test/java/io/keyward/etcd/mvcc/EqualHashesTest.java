package io.keyward.etcd.mvcc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.etcd.bolt.BoltFile;
import io.keyward.etcd.bytes.Window;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Keys are told apart by their bytes, also where their hashes are equal.
final class EqualHashesTest {
  private static final int PAGE = 4096;
  private static final int LEAF = 2;

  @Test
  void twoKeysWithOneHashAreTwoKeys() {
    List<byte[]> keys = withEqualHashes();
    byte[] file = database(keys.get(0), keys.get(1), keys.get(0));
    var reader = new MvccReader(BoltFile.open(MemorySegment.ofArray(file)));
    var live = new ArrayList<String>();
    reader.forEach((record, isLive) -> live.add(record.main() + " " + isLive));
    assertThat(live).containsExactly("1 false", "2 true", "3 true");
    assertThat(reader.liveKeys()).isEqualTo(2);
  }

  private static List<byte[]> withEqualHashes() {
    Map<Integer, byte[]> seen = new HashMap<>();
    var bytes = new byte[16];
    var window = new Window(MemorySegment.ofArray(bytes));
    var range = new FileRange();
    for (int i = 0; i < 2_000_000; i++) {
      byte[] key = ("key" + i).getBytes(US_ASCII);
      System.arraycopy(key, 0, bytes, 0, key.length);
      range.move(window, 0, key.length);
      byte[] other = seen.put(range.hash(), key);
      if (other != null) {
        return List.of(other, key);
      }
    }
    throw new AssertionError("no two hashes are equal");
  }

  /// Two meta pages, and a root with the bucket `key` inside it.
  private static byte[] database(byte[]... keys) {
    var file = ByteBuffer.allocate(4 * PAGE).order(ByteOrder.LITTLE_ENDIAN);
    for (int page = 0; page < 2; page++) {
      int at = page * PAGE;
      file.putLong(at, page).putShort(at + 8, (short) 4);
      file.putInt(at + 16, 0xED0CDAED).putInt(at + 20, 2).putInt(at + 24, PAGE);
      file.putLong(at + 32, 3).putLong(at + 48, 2).putLong(at + 56, 4).putLong(at + 64, page);
      file.putLong(at + 72, fnv(file, at + 16));
    }
    byte[] records = leaf(0, revisions(keys), messages(keys));
    byte[] bucket = ByteBuffer.allocate(16 + records.length).put(16, records).array();
    byte[] root = leaf(1, List.of("key".getBytes(US_ASCII)), List.of(bucket));
    root[0] = 3;
    return file.put(3 * PAGE, root).array();
  }

  private static byte[] leaf(int flags, List<byte[]> keys, List<byte[]> values) {
    int headers = 16 + 16 * keys.size();
    var content = new ByteArrayOutputStream();
    var page = ByteBuffer.allocate(PAGE / 2).order(ByteOrder.LITTLE_ENDIAN);
    page.putShort(8, (short) LEAF).putShort(10, (short) keys.size());
    for (int i = 0; i < keys.size(); i++) {
      int at = 16 + 16 * i;
      page.putInt(at, flags).putInt(at + 4, headers + content.size() - at);
      page.putInt(at + 8, keys.get(i).length).putInt(at + 12, values.get(i).length);
      content.writeBytes(keys.get(i));
      content.writeBytes(values.get(i));
    }
    byte[] leaf = new byte[headers + content.size()];
    page.get(0, leaf, 0, headers);
    System.arraycopy(content.toByteArray(), 0, leaf, headers, content.size());
    return leaf;
  }

  private static List<byte[]> revisions(byte[]... keys) {
    var revisions = new ArrayList<byte[]>();
    for (int i = 0; i < keys.length; i++) {
      revisions.add(ByteBuffer.allocate(17).putLong(0, i + 1).put(8, (byte) '_').array());
    }
    return revisions;
  }

  /// Only the key, field 1.
  private static List<byte[]> messages(byte[]... keys) {
    var messages = new ArrayList<byte[]>();
    for (byte[] key : keys) {
      messages.add(
          ByteBuffer.allocate(2 + key.length)
              .put((byte) 0x0A)
              .put((byte) key.length)
              .put(key)
              .array());
    }
    return messages;
  }

  private static long fnv(ByteBuffer bytes, int at) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < 56; i++) {
      hash = (hash ^ (bytes.get(at + i) & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }
}
