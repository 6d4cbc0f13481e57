package io.keyward.core.preflight;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStack.Slot;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;

/// A configuration with one more key, as it would be if the key were in use. It is only tried, and
/// never published.
final class KeyBeside {
  private KeyBeside() {}

  /// The configuration with the key, in place of what it holds of that key already.
  ///
  /// @param resources that the key would protect; at least one
  static EncryptionLayout of(EncryptionLayout inUse, Key key, SortedSet<Resource> resources) {
    if (inUse.keys().stream().anyMatch(one -> one.serial().equals(key.serial()))) {
      return inUse.mapStacks(entry ->
          new KeyStack(
              entry.getValue().write(),
              entry.getValue().reads().stream()
                  .map(slot ->
                      slot.serial().equals(key.serial())
                          ? new Slot(key, slot.providerName())
                          : slot)
                  .toList()));
    }
    Resource resource = resources.getFirst();
    var stacks = new TreeMap<>(inUse.stacks());
    stacks.putIfAbsent(resource, KeyStack.EMPTY);
    var slot = new Slot(key, key.serial() + "_" + resource.name());
    stacks.computeIfPresent(resource, (_, stack) -> stack.adding(List.of(slot)));
    return new EncryptionLayout(stacks);
  }
}
