package io.keyward.storage.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.Vectors;
import io.keyward.storage.envelope.ValueEnvelope.KmsV1;
import io.keyward.storage.envelope.ValueEnvelope.KmsV2;
import io.keyward.storage.envelope.ValueEnvelope.LocalSealed;
import io.keyward.storage.envelope.ValueEnvelope.Malformed;
import io.keyward.storage.envelope.ValueEnvelope.Plain;
import java.util.Base64;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class ValueEnvelopeVectorsTest {
  @TestFactory
  Stream<DynamicTest> tellsWhatEveryVectorTells() {
    return Vectors.lines("public.jsonl").stream()
        .map(vector ->
            DynamicTest.dynamicTest(
                vector.get("id").asText(),
                () -> {
                  ByteView value = Vectors.base64(vector.get("storedValue"));
                  assertThat((JsonNode) show(ValueEnvelope.parse(value)))
                      .isEqualTo(vector.get("inspect"));
                }));
  }

  @Test
  void noByteStringIsTooStrange() {
    var random = new Random(11);
    for (ProviderKind kind : ProviderKind.values()) {
      for (int round = 0; round < 5_000; round++) {
        var noise = new byte[random.nextInt(60)];
        random.nextBytes(noise);
        byte[] head = kind.header().toArray();
        var value = new byte[head.length + noise.length];
        System.arraycopy(head, 0, value, 0, head.length);
        System.arraycopy(noise, 0, value, head.length, noise.length);
        assertThat(ValueEnvelope.parse(ByteView.wrap(value))).isNotNull();
      }
    }
  }

  private static ObjectNode show(ValueEnvelope envelope) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("encrypted", envelope.isEncrypted());
    json.put("provider", envelope.provider().word());
    switch (envelope) {
      case Plain(var payload) -> json.put("payload", payload.word());
      case LocalSealed(_, var name, _) -> json.put("name", DisplayName.of(name));
      case KmsV1(var name, var wrapped, _) ->
          showV1(wrapped, json.put("name", DisplayName.of(name)));
      case KmsV2(var name, var object) -> show(object, json.put("name", DisplayName.of(name)));
      case Malformed(var provider, _, var name, var object) -> {
        name.ifPresent(known -> json.put("name", DisplayName.of(known)));
        object.ifPresent(known -> show(known, json));
        if (provider != ProviderKind.UNKNOWN) {
          json.put("parseError", true);
        }
      }
    }
    return json;
  }

  private static void showV1(ByteView wrapped, ObjectNode json) {
    if (!wrapped.isEmpty()) {
      json.put("wrappedDEK", base64(wrapped));
    }
  }

  private static void show(EncryptedObject object, ObjectNode json) {
    if (!object.keyId().isEmpty()) {
      json.put("keyId", object.keyId()).put("keyIdHash", ByteFingerprint.ofKeyId(object.keyId()));
    }
    json.put("encryptedDEKSourceType", object.dekSourceType());
    if (!object.dekSource().isEmpty()) {
      json.put("encryptedDEKSource", base64(object.dekSource()));
    }
    if (!object.encryptedData().isEmpty()) {
      json.put("encryptedDataLen", object.encryptedData().size());
    }
    if (!object.annotations().isEmpty()) {
      ObjectNode annotations = json.putObject("annotations");
      object.annotations().forEach((name, value) -> annotations.put(name, base64(value)));
      object.unvalued().forEach(annotations::putNull);
    }
  }

  private static String base64(ByteView bytes) {
    return Base64.getEncoder().encodeToString(bytes.toArray());
  }
}
