package io.keyward.codec;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStack.Slot;
import io.keyward.core.model.key.Mode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// A layout as an EncryptionConfiguration: the writer first, identity before the markers.
final class LayoutJson {
  private LayoutJson() {}

  static String encode(EncryptionLayout layout) {
    ObjectNode root = Json.object();
    root.put("kind", "EncryptionConfiguration").put("apiVersion", "apiserver.config.k8s.io/v1");
    ArrayNode resources = root.putArray("resources");
    layout
        .stacks()
        .forEach((resource, stack) -> {
          ObjectNode entry = resources.addObject();
          entry.putArray("resources").add(resource.canonical());
          ArrayNode providers = entry.putArray("providers");
          providers(stack).forEach(providers::add);
        });
    return Json.write(root) + "\n";
  }

  private static List<ObjectNode> providers(KeyStack stack) {
    List<Slot> slots = new ArrayList<>();
    stack.write().flatMap(stack::slot).ifPresent(slots::add);
    stack.reads().stream().filter(slot -> !stack.writes(slot.serial())).forEach(slots::add);
    boolean sealsFirst = stack.writeKey().filter(key -> key.mode() != Mode.IDENTITY).isPresent();
    var providers = new ArrayList<ObjectNode>();
    var markers = new ArrayList<ObjectNode>();
    if (!sealsFirst) {
      providers.add(identity());
    }
    for (Slot slot : slots) {
      switch (slot.key().mode()) {
        case IDENTITY -> markers.add(local("aesgcm", slot.key()));
        case AESCBC, AESGCM, SECRETBOX ->
            providers.add(local(slot.key().mode().word(), slot.key()));
        case KMS ->
            slot.key()
                .kms()
                .ifPresent(kms -> {
                  ObjectNode provider = Json.object();
                  provider.set("kms", KmsProviderJson.encode(kms.endpoint(), slot.providerName()));
                  providers.add(provider);
                });
      }
    }
    if (sealsFirst) {
      providers.add(identity());
    }
    providers.addAll(markers);
    return providers;
  }

  private static ObjectNode identity() {
    ObjectNode provider = Json.object();
    provider.putObject("identity");
    return provider;
  }

  private static ObjectNode local(String word, Key key) {
    ObjectNode provider = Json.object();
    provider
        .putObject(word)
        .putArray("keys")
        .addObject()
        .put("name", key.serial().toString())
        .put("secret", Base64.getEncoder().encodeToString(key.material().revealKey()));
    return provider;
  }
}
