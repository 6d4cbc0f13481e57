package io.keyward.testkit.sim;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a configuration means to an API server that reads etcd with it.
///
/// The engine has predicates for the same questions. The checks do not call them: a mistake in one
/// of them would hide itself.
final class ProviderEntries {
  private static final Set<String> REMOTE_KEY = Set.of("vaultAddress", "vaultKeyPath", "endpoint");

  private ProviderEntries() {}

  /// One provider entry, by everything that decides whether it can decrypt a value.
  record Entry(
      KeySerial serial, Mode mode, KeyMaterial material, String name, @Nullable String remoteKey) {
    static Entry of(KeyStack.Slot slot) {
      return of(slot.key(), slot.providerName());
    }

    static Entry of(Key key, String name) {
      return new Entry(key.serial(), key.mode(), key.material(), name, remoteKeyOf(key));
    }
  }

  /// Absent where only the socket of the plugin is known, or there is no plugin.
  static @Nullable String remoteKeyOf(Key key) {
    if (key.mode() != Mode.KMS || key.kms().isEmpty()) {
      return null;
    }
    return key.kms()
        .orElseThrow()
        .plugin()
        .map(plugin -> {
          var named = new TreeMap<>(plugin.spec().fields());
          named.keySet().retainAll(REMOTE_KEY);
          return plugin.spec().type() + named;
        })
        .orElse(null);
  }

  private static @Nullable KeyStack stack(@Nullable EncryptionLayout layout, Resource resource) {
    return layout == null ? null : layout.stacks().get(resource);
  }

  /// The entry that encrypts; absent where plaintext is written.
  static @Nullable Entry writer(@Nullable EncryptionLayout layout, Resource resource) {
    KeyStack stack = stack(layout, resource);
    if (stack == null || stack.write().isEmpty()) {
      return null;
    }
    for (KeyStack.Slot slot : stack.reads()) {
      if (slot.key().serial().equals(stack.write().orElseThrow())) {
        return slot.key().mode() == Mode.IDENTITY ? null : Entry.of(slot);
      }
    }
    return null;
  }

  static boolean reads(@Nullable EncryptionLayout layout, Resource resource, Entry entry) {
    KeyStack stack = stack(layout, resource);
    if (stack != null) {
      for (KeyStack.Slot slot : stack.reads()) {
        if (slot.key().serial().equals(entry.serial()) && Entry.of(slot).equals(entry)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether two configurations encrypt and decrypt alike once some keys are left out of both.
  static boolean areAlike(EncryptionLayout one, EncryptionLayout other, Set<KeySerial> without) {
    var resources = new TreeSet<>(one.stacks().keySet());
    resources.addAll(other.stacks().keySet());
    for (Resource resource : resources) {
      if (!Objects.equals(writer(one, resource), writer(other, resource))
          || !entries(one, resource, without).equals(entries(other, resource, without))) {
        return false;
      }
    }
    return one.stacks().keySet().equals(other.stacks().keySet());
  }

  private static List<Entry> entries(
      EncryptionLayout layout, Resource resource, Set<KeySerial> without) {
    var entries = new ArrayList<Entry>();
    KeyStack stack = stack(layout, resource);
    if (stack != null) {
      for (KeyStack.Slot slot : stack.reads()) {
        if (!without.contains(slot.key().serial())) {
          entries.add(Entry.of(slot));
        }
      }
    }
    return entries;
  }
}
