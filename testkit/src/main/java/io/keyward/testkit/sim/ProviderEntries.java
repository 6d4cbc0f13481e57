package io.keyward.testkit.sim;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What a configuration means to an API server that reads etcd with it.
///
/// The engine has predicates for the same questions. The checks do not call them: a mistake in one
/// of them would hide itself.
final class ProviderEntries {
  private static final List<String> REMOTE_KEY =
      List.of("vaultAddress", "vaultKeyPath", "endpoint");

  private ProviderEntries() {}

  /// One provider entry, by everything that decides whether it can decrypt a value.
  record Entry(Key key, String name) {
    static Entry of(KeyStack.Slot slot) {
      return new Entry(slot.key(), slot.providerName());
    }

    KeySerial serial() {
      return key.serial();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Entry that
          && serial().equals(that.serial())
          && key.mode() == that.key.mode()
          && name.equals(that.name)
          && key.material().equals(that.key.material())
          && hasSameRemoteKey(key, that.key);
    }

    @Override
    public int hashCode() {
      return serial().hashCode();
    }
  }

  private static @Nullable ProviderSpec spec(Key key) {
    return key.mode() != Mode.KMS
        ? null
        : key.kms().flatMap(KmsKey::plugin).map(KmsPluginConfig::spec).orElse(null);
  }

  /// The same as comparing [#remoteKeyOf], which this is called too often for.
  private static boolean hasSameRemoteKey(Key one, Key other) {
    ProviderSpec mine = spec(one);
    ProviderSpec theirs = spec(other);
    if (mine == null || theirs == null) {
      return mine == null && theirs == null;
    }
    for (String field : REMOTE_KEY) {
      if (!Objects.equals(mine.fields().get(field), theirs.fields().get(field))) {
        return false;
      }
    }
    return mine.type().equals(theirs.type());
  }

  /// Absent where only the socket of the plugin is known, or there is no plugin.
  static @Nullable String remoteKeyOf(Key key) {
    ProviderSpec spec = spec(key);
    if (spec == null) {
      return null;
    }
    var named = new TreeMap<>(spec.fields());
    named.keySet().retainAll(REMOTE_KEY);
    return spec.type() + named;
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
    KeySerial write = stack.write().orElseThrow();
    for (KeyStack.Slot slot : stack.reads()) {
      if (slot.key().serial().equals(write)) {
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

  /// Whether another configuration reads all that one reads, encrypts all that it encrypts, and
  /// writes nothing that it cannot read.
  ///
  /// @param mayBePlain whether plaintext was asked for
  static boolean takesNothingAway(
      EncryptionLayout one, EncryptionLayout other, Predicate<Resource> mayBePlain) {
    for (Resource resource : one.stacks().keySet()) {
      Entry writes = writer(other, resource);
      boolean isLost =
          writes == null
              ? writer(one, resource) != null && !mayBePlain.test(resource)
              : !reads(one, resource, writes);
      if (isLost
          || !entries(one, resource, Set.of()).stream()
              .allMatch(entry -> reads(other, resource, entry))) {
        return false;
      }
    }
    return true;
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
