package io.keyward.cli.inspect;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.envelope.DisplayName;
import io.keyward.storage.envelope.Payload;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.read.KeylessCheck;
import io.keyward.storage.read.Reading;
import io.keyward.storage.read.StorageReader;
import io.keyward.storage.read.Unwrapper;
import io.keyward.storage.resource.EtcdKey;
import io.keyward.storage.resource.GroupResource;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One stored value to one JSON object; all forms of output are made from it.
final class Inspector {
  /// What the user asked for beside the values.
  record Wishes(Optional<GroupResource> resource, Optional<String> prefix, boolean reveal) {
    static Wishes of(@Nullable String resource, @Nullable String prefix, boolean reveal) {
      return new Wishes(
          Optional.ofNullable(resource).map(GroupResource::parse),
          Optional.ofNullable(prefix),
          reveal);
    }
  }

  private final Optional<StorageReader> reader;
  private final Optional<KeylessCheck> keyless;
  private final Wishes wishes;
  private boolean allRead = true;

  Inspector(Optional<EncryptionConfig> config, Unwrapper kms, Wishes wishes) {
    this.reader = config.map(known -> new StorageReader(known, kms));
    this.keyless = config.map(known -> new KeylessCheck(known, kms::currentKeyId));
    this.wishes = wishes;
  }

  /// Whether every value so far parsed, and opened where a configuration was given.
  boolean allRead() {
    return allRead;
  }

  ObjectNode inspect(StoredValue stored) {
    ValueEnvelope envelope = ValueEnvelope.parse(stored.value());
    EtcdKey place = EtcdKey.parse(stored.key(), wishes.prefix());
    GroupResource resource = wishes.resource().orElse(place.resource());
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("key", DisplayName.of(stored.key()));
    json.put("resource", resource.toString());
    EnvelopeJson.describe(envelope, json);
    json.put("size", stored.value().size());
    reader.ifPresent(known -> addReading(json, known.read(resource, stored.key(), stored.value())));
    if (!json.has("stale")) {
      keyless
          .map(known -> known.check(resource, stored.value()))
          .ifPresent(outlook -> addOutlook(json, outlook));
    }
    allRead &= reader.isPresent() ? json.path("ok").asBoolean() : !isMalformed(envelope);
    return json;
  }

  private static boolean isMalformed(ValueEnvelope envelope) {
    return envelope instanceof ValueEnvelope.Malformed;
  }

  private void addReading(ObjectNode json, Reading reading) {
    switch (reading) {
      case Reading.Opened(var plaintext, var stale, var match) -> {
        json.put("ok", true).put("stale", stale);
        match.ifPresent(known -> addMatch(json, known));
        json.put("plaintextPayload", Payload.of(plaintext).word());
        json.put("plaintextLen", plaintext.size());
        if (wishes.reveal()) {
          json.put("plaintext", base64(plaintext));
        }
      }
      case Reading.Refused refused ->
          json.put("ok", false)
              .put("errorClass", refused.errorClass().name())
              .put("error", refused.words());
    }
  }

  /// Where the value did not open, names may still tell that it is stale.
  private static void addOutlook(ObjectNode json, KeylessCheck.Outlook outlook) {
    if (outlook instanceof KeylessCheck.Outlook.Fits(var stale) && stale) {
      json.put("stale", true);
    }
  }

  private static void addMatch(ObjectNode json, Reading.Match match) {
    ObjectNode matched = json.putObject("matched");
    matched.put("resourcesIndex", match.resourcesIndex());
    matched.put("providerIndex", match.providerIndex());
    match.key().ifPresent(name -> matched.put("keyName", name));
    match.kms().ifPresent(name -> matched.put("kmsName", name));
  }

  static String base64(ByteView bytes) {
    return Base64.getEncoder().encodeToString(bytes.toArray());
  }
}
