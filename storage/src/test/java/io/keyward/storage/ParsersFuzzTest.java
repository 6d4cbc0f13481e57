package io.keyward.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.keyward.etcd.bolt.BoltException;
import io.keyward.etcd.bolt.BoltFile;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.mvcc.MvccReader;
import io.keyward.etcd.wal.WalFile;
import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.object.ApplyForm;
import io.keyward.storage.object.KubeObject;
import io.keyward.storage.resource.EtcdKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// No input may crash or hang a parser. The build tries the seeds; with `JAZZER_FUZZ=1` in the
/// environment and one method chosen, Jazzer looks for more.
final class ParsersFuzzTest {
  @FuzzTest
  void storedValue(byte[] input) {
    ValueEnvelope envelope = ValueEnvelope.parse(ByteView.wrap(input));
    assertThat(envelope.provider()).isNotNull();
  }

  @FuzzTest
  void object(byte[] input) {
    KubeObject object = KubeObject.of(ByteView.wrap(input));
    if (object instanceof KubeObject.Decoded(var fields, _)) {
      assertThat(ApplyForm.of(fields)).containsKeys("apiVersion", "kind");
    }
  }

  @FuzzTest
  void etcdKey(byte[] input) {
    assertThat(EtcdKey.parse(ByteView.wrap(input)).kind()).isNotNull();
  }

  @FuzzTest
  void configuration(byte[] input) {
    assertThat(ConfigLoader.standard().load(new String(input, UTF_8))).isNotNull();
  }

  @FuzzTest
  void log(byte[] input) throws IOException {
    var bytes = new long[1];
    WalFile.End end =
        WalFile.read(
            new ByteArrayInputStream(input),
            (_, key, value) -> bytes[0] += key.size() + value.size());
    assertThat(end.at()).isBetween(0L, (long) input.length);
    assertThat(end.wrongSums()).isBetween(0L, 4 * end.records() + 4);
  }

  @FuzzTest
  void database(byte[] input) {
    MemorySegment segment = MemorySegment.ofArray(input);
    try {
      var reader = new MvccReader(BoltFile.open(segment));
      var bytes = new long[1];
      reader.forEach((record, _) -> bytes[0] += record.key().size() + record.value().size());
      reader.forEachResidue((record, _) -> bytes[0] += record.key().size());
      assertThat(reader.liveKeys()).isNotNegative();
    } catch (BoltException refused) {
      assertThat(refused.kind()).isNotNull();
    }
  }
}
