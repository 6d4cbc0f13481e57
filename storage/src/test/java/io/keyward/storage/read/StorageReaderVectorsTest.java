package io.keyward.storage.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.FakeKms;
import io.keyward.storage.Vectors;
import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.config.ConfigVerdict;
import io.keyward.storage.envelope.ByteFingerprint;
import io.keyward.storage.envelope.Payload;
import io.keyward.storage.read.Reading.Match;
import io.keyward.storage.read.Reading.Opened;
import io.keyward.storage.read.Reading.Refused;
import io.keyward.storage.resource.GroupResource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class StorageReaderVectorsTest {
  private static final List<JsonNode> VECTORS = Vectors.lines("public.jsonl");

  @Test
  void allVectorsAreHere() {
    assertThat(VECTORS).hasSize(483);
  }

  @TestFactory
  Stream<DynamicTest> readsAsTheApiserverReads() {
    return VECTORS.stream()
        .map(vector -> DynamicTest.dynamicTest(vector.get("id").asText(), () -> check(vector)));
  }

  private static void check(JsonNode vector) {
    var verdict =
        (ConfigVerdict.Accepted) ConfigLoader.lenient().load(vector.get("config").toString());
    var reader = new StorageReader(verdict.config(), new FakeKms(vector.path("fakeKms")));
    Reading reading =
        reader.read(
            GroupResource.parse(vector.get("resource").asText()),
            Vectors.utf8(vector.get("etcdKey")),
            Vectors.base64(vector.get("storedValue")));
    JsonNode expect = vector.get("expect");
    switch (reading) {
      case Refused(var errorClass, _) -> {
        assertThat(expect.get("ok").asBoolean()).isFalse();
        // Where Go panics, any clean refusal is right.
        if (!expect.get("errorClass").asText().equals("GO_PANIC")) {
          assertThat(errorClass.name()).isEqualTo(expect.get("errorClass").asText());
        }
      }
      case Opened(var plaintext, var stale, var match) -> {
        assertThat((JsonNode) show(plaintext, stale)).isEqualTo(expected(expect));
        if (vector.has("matched")) {
          assertThat(match.map(StorageReaderVectorsTest::show)).contains(vector.get("matched"));
        }
      }
    }
  }

  private static ObjectNode show(ByteView plaintext, boolean stale) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("ok", true)
        .put("stale", stale)
        .put("plaintextLen", plaintext.size())
        .put("plaintextSha256", ByteFingerprint.sha256Hex(plaintext))
        .put("payload", Payload.of(plaintext).word());
  }

  private static JsonNode expected(JsonNode expect) {
    ObjectNode copy = expect.deepCopy();
    copy.remove("plaintext");
    return copy;
  }

  private static JsonNode show(Match match) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("resourcesIndex", match.resourcesIndex())
            .put("providerIndex", match.providerIndex());
    match.key().ifPresent(name -> json.put("keyName", name));
    match.kms().ifPresent(name -> json.put("kmsName", name));
    return json;
  }
}
