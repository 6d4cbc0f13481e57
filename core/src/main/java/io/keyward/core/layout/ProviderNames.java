package io.keyward.core.layout;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStack.Slot;
import io.keyward.core.model.key.Mode;
import java.util.Map;

/// Names of KMS providers: `8_secrets`. Two groups may share a resource name, and the API server
/// refuses a configuration with a name twice, so then the later one in order carries its group.
final class ProviderNames {
  private ProviderNames() {}

  static Slot slot(Key key, Resource resource, EncryptionLayout layout) {
    if (key.mode() != Mode.KMS) {
      return new Slot(key, "");
    }
    String bare = key.serial() + "_" + resource.name();
    boolean taken =
        layout.stacks().entrySet().stream().anyMatch(other -> takes(other, bare, key, resource));
    return new Slot(key, taken ? key.serial() + "_" + resource.canonical() : bare);
  }

  private static boolean takes(
      Map.Entry<Resource, KeyStack> other, String bare, Key key, Resource resource) {
    Resource rival = other.getKey();
    if (rival.equals(resource) || !rival.name().equals(resource.name())) {
      return false;
    }
    return rival.compareTo(resource) < 0
        || other
            .getValue()
            .slot(key.serial())
            .filter(s -> s.providerName().equals(bare))
            .isPresent();
  }
}
