package io.keyward.storage.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.etcd.snapshot.Trailer;
import io.keyward.storage.FakeKms;
import io.keyward.storage.Vectors;
import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.config.ConfigVerdict;
import io.keyward.storage.envelope.ByteFingerprint;
import io.keyward.storage.envelope.Payload;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.resource.EtcdKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The snapshot of a real cluster whose objects were written under six setups.
final class ClusterSnapshotTest {
  @TempDir private Path directory;

  @Test
  void everyObjectOfARealClusterReadsAsTheApiserverReadsIt() throws Exception {
    var config =
        (ConfigVerdict.Accepted)
            ConfigLoader.lenient().load(Vectors.text("public-cluster-config.json"));
    var kms =
        new CachingUnwrapper(
            new FakeKms(new ObjectMapper().readTree(Vectors.text("public-cluster-fakekms.json"))));
    var reader = new StorageReader(config.config(), kms);
    var found = new TreeMap<ByteView, String>();
    try (EtcdFile file = EtcdFile.open(Vectors.unpack("public-cluster.db", directory))) {
      assertThat(file.trailer()).isEqualTo(Trailer.VALID);
      file.mvcc()
          .forEach((record, live) -> {
            if (live) {
              found.put(record.key(), show(reader, record.key(), record.value()));
            }
          });
    }
    assertThat(List.copyOf(found.values())).hasSize(250).isEqualTo(expected());
    assertThat(kms.calls()).as("one call for each wrapped seed").isEqualTo(2);
  }

  private static String show(StorageReader reader, ByteView key, ByteView value) {
    EtcdKey place = EtcdKey.parse(key);
    ValueEnvelope envelope = ValueEnvelope.parse(value);
    String reading =
        switch (reader.read(place.resource(), key, value)) {
          case Reading.Opened(var plaintext, var stale, _) ->
              stale
                  + " "
                  + ByteFingerprint.sha256Hex(plaintext)
                  + " "
                  + Payload.of(plaintext).word();
          case Reading.Refused(var errorClass, _) -> errorClass.name();
        };
    return key.utf8().orElse("?")
        + " "
        + (place.isObject() ? place.resource() : "")
        + " "
        + envelope.provider().word()
        + " "
        + reading;
  }

  private static List<String> expected() {
    var lines = new ArrayList<String>();
    for (JsonNode line : Vectors.lines("public-cluster-expected.jsonl")) {
      JsonNode expect = line.get("expect");
      lines.add(
          line.get("key").asText()
              + " "
              + line.get("resource").asText()
              + " "
              + line.get("inspect").get("provider").asText()
              + " "
              + expect.get("stale").asBoolean()
              + " "
              + expect.get("plaintextSha256").asText()
              + " "
              + expect.get("payload").asText());
    }
    return lines;
  }
}
