package io.keyward.cli.inspect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.envelope.ByteFingerprint;
import io.keyward.storage.envelope.DisplayName;
import io.keyward.storage.envelope.EncryptedObject;
import io.keyward.storage.envelope.ProviderKind;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.envelope.ValueEnvelope.KmsV1;
import io.keyward.storage.envelope.ValueEnvelope.KmsV2;
import io.keyward.storage.envelope.ValueEnvelope.LocalSealed;
import io.keyward.storage.envelope.ValueEnvelope.Malformed;
import io.keyward.storage.envelope.ValueEnvelope.Plain;

/// What can be told without any key. Wrapped DEKs are no secrets: only the KMS can open them.
final class EnvelopeJson {
  private EnvelopeJson() {}

  static void describe(ValueEnvelope envelope, ObjectNode json) {
    json.put("encrypted", envelope.isEncrypted()).put("provider", envelope.provider().word());
    switch (envelope) {
      case Plain(var payload) -> json.put("payload", payload.word());
      case LocalSealed(_, var name, _) -> json.put("name", DisplayName.of(name));
      case KmsV1(var name, var wrapped, _) -> {
        json.put("name", DisplayName.of(name));
        wrapped("wrappedDEK", wrapped, json);
      }
      case KmsV2(var name, var object) -> {
        json.put("name", DisplayName.of(name));
        describe(object, json);
      }
      case Malformed(var provider, var problem, var name, var object) -> {
        name.ifPresent(known -> json.put("name", DisplayName.of(known)));
        object.ifPresent(known -> describe(known, json));
        if (provider != ProviderKind.UNKNOWN) {
          json.put("parseError", true);
        }
        json.put("problem", problem.words());
      }
    }
  }

  private static void describe(EncryptedObject object, ObjectNode json) {
    if (!object.keyId().isEmpty()) {
      json.put("keyId", object.keyId()).put("keyIdHash", ByteFingerprint.ofKeyId(object.keyId()));
    }
    json.put("encryptedDEKSourceType", object.dekSourceType());
    wrapped("encryptedDEKSource", object.dekSource(), json);
    if (!object.encryptedData().isEmpty()) {
      json.put("encryptedDataLen", object.encryptedData().size());
    }
    if (!object.annotations().isEmpty()) {
      ObjectNode annotations = json.putObject("annotations");
      object.annotations().forEach((name, value) -> annotations.put(name, Inspector.base64(value)));
      object.unvalued().forEach(annotations::putNull);
    }
  }

  private static void wrapped(String field, ByteView wrapped, ObjectNode json) {
    if (!wrapped.isEmpty()) {
      json.put(field, Inspector.base64(wrapped));
      json.put("dekFingerprint", ByteFingerprint.ofWrappedDek(wrapped));
    }
  }
}
