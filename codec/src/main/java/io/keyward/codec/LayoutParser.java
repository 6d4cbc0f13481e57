package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStack.Slot;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// An EncryptionConfiguration back to a layout.
///
/// An entry that is not understood makes the whole unreadable: rendering it again would drop a
/// provider, and with it data.
final class LayoutParser {
  private final String where;
  private final BiFunction<KeySerial, JsonNode, Optional<KmsKey>> kmsOf;
  private final Map<KeySerial, Key> bySerial = new HashMap<>();
  private @Nullable String problem;

  LayoutParser(String where, BiFunction<KeySerial, JsonNode, Optional<KmsKey>> kmsOf) {
    this.where = where;
    this.kmsOf = kmsOf;
  }

  Decoded<EncryptionLayout> parse(JsonNode root) {
    var stacks = new TreeMap<Resource, KeyStack>();
    JsonNode entries = root.path("resources");
    if (isNoList(entries)) {
      return Decoded.bad(where, "has resources that are no list");
    }
    for (JsonNode entry : entries) {
      JsonNode names = entry.path("resources");
      String name = names.path(0).asText("");
      if (names.size() != 1 || name.isEmpty() || name.startsWith(".")) {
        return Decoded.bad(where, "has an entry that does not name exactly one resource");
      }
      if (isNoList(entry.path("providers"))) {
        return Decoded.bad(where, "has providers of " + name + " that are no list");
      }
      if (stacks.put(Resource.parse(name), stack(entry.path("providers"))) != null) {
        return Decoded.bad(where, "names " + name + " twice");
      }
    }
    stacks.values().forEach(this::compare);
    return problem == null
        ? Decoded.good(new EncryptionLayout(stacks))
        : Decoded.bad(where, problem);
  }

  private static boolean isNoList(JsonNode node) {
    return !node.isArray() && !node.isMissingNode() && !node.isNull();
  }

  /// One serial is one key, wherever it stands. Two that differ would hide one of them.
  private void compare(KeyStack stack) {
    var inStack = new HashSet<KeySerial>();
    for (Slot slot : stack.reads()) {
      Key known = bySerial.putIfAbsent(slot.serial(), slot.key());
      boolean differs =
          known != null && (!known.isSame(slot.key()) || !known.kms().equals(slot.key().kms()));
      if (differs || !inStack.add(slot.serial())) {
        problem = "has different keys with the serial " + slot.serial();
      }
    }
  }

  private KeyStack stack(JsonNode providers) {
    var slots = new ArrayList<Slot>();
    Optional<KeySerial> write = Optional.empty();
    for (int i = 0; i < providers.size(); i++) {
      JsonNode provider = providers.get(i);
      if (!isIdentity(provider)) {
        Optional<Slot> slot = slot(provider);
        slot.ifPresent(slots::add);
        // Where nothing is sealed first, the first marker tells which plaintext key writes.
        boolean first = i == 0;
        write =
            write.or(
                () -> slot.filter(s -> first || s.key().mode() == Mode.IDENTITY).map(Slot::serial));
        problem = slot.isEmpty() ? "has a provider that is not understood" : problem;
      }
    }
    return new KeyStack(write, slots);
  }

  /// Nothing beside it: what stands there would be lost.
  private static boolean isIdentity(JsonNode provider) {
    return provider.has("identity") && provider.size() == 1;
  }

  private Optional<Slot> slot(JsonNode provider) {
    if (provider.size() != 1) {
      return Optional.empty();
    }
    Map.Entry<String, JsonNode> only = provider.properties().iterator().next();
    return switch (only.getKey()) {
      case "aescbc" -> local(Mode.AESCBC, only.getValue());
      case "aesgcm" -> local(Mode.AESGCM, only.getValue());
      case "secretbox" -> local(Mode.SECRETBOX, only.getValue());
      case "kms" -> kms(only.getValue());
      default -> Optional.empty();
    };
  }

  private static Optional<Slot> local(Mode mode, JsonNode provider) {
    JsonNode keys = provider.path("keys");
    Optional<Long> serial = Digits.parse(keys.path(0).path("name").asText(""));
    Optional<KeyMaterial> material = base64(keys.path(0).path("secret").asText(""));
    if (keys.size() != 1 || serial.isEmpty() || material.isEmpty()) {
      return Optional.empty();
    }
    boolean marker = mode == Mode.AESGCM && material.get().equals(Key.NULL_MATERIAL);
    Mode meant = marker ? Mode.IDENTITY : mode;
    return Optional.of(
        new Slot(
            Key.unbacked(new KeySerial(serial.get()), meant, material.get(), Optional.empty()),
            ""));
  }

  private Optional<Slot> kms(JsonNode provider) {
    String name = provider.path("name").asText("");
    int border = name.indexOf('_');
    Optional<Long> serial = border < 0 ? Optional.empty() : Digits.parse(name.substring(0, border));
    return serial
        .map(KeySerial::new)
        .flatMap(id ->
            kmsOf
                .apply(id, provider)
                .map(kms ->
                    new Slot(
                        Key.unbacked(id, Mode.KMS, Key.NULL_MATERIAL, Optional.of(kms)), name)));
  }

  private static Optional<KeyMaterial> base64(String text) {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(KeyMaterial.copyOf(Base64.getDecoder().decode(text)));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
