package io.keyward.core.model.kms;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyRing;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// How the wanted KMS configuration differs from what the keys hold. The same answer decides
/// whether a preflight is needed and what is done once it passed.
public final class KmsChange {
  private KmsChange() {}

  /// A new key would be born for this wish, as soon as nothing stands in its way.
  public static boolean asksForNewKey(RequestedEncryption wanted, Key newest) {
    return newest.mode() != Mode.KMS
        || !newest.backed()
        || !isSameRemoteKey(wanted, newest)
        || isForced(wanted, newest);
  }

  public static boolean isSameRemoteKey(RequestedEncryption wanted, Key key) {
    Optional<ProviderSpec> asked = wanted.kms().map(kms -> kms.plugin().spec());
    Optional<ProviderSpec> held = key.kms().flatMap(KmsKey::plugin).map(KmsPluginConfig::spec);
    return asked.isPresent()
        && held.isPresent()
        && (asked.equals(held)
            || asked.orElseThrow().remoteKey().equals(held.orElseThrow().remoteKey()));
  }

  public static boolean isForced(RequestedEncryption wanted, Key newest) {
    return !wanted.externalReason().isEmpty()
        && !wanted.externalReason().equals(newest.externalReason());
  }

  /// A key with what its secret should hold now.
  ///
  /// @param config stands for it; a preflight of this must have passed before it is stored
  public record Update(Key key, Fingerprint config) {}

  /// Keys in use with what they should hold by now. The newest takes over everything of the request
  /// that may change in place; every other key the new contents of what its own configuration
  /// refers to, so that its plugin can still start.
  public static List<Update> outdated(ObservedState seen, KeyRing ring) {
    Optional<Key> newest = ring.newest();
    var updates = new ArrayList<Update>();
    for (Key key : ring.keys()) {
      if (key.backed() && key.mode() == Mode.KMS && key.kms().isPresent()) {
        boolean isNewest = newest.equals(Optional.of(key));
        Optional<Update> update =
            isNewest && isSameRemoteKey(seen.wanted(), key)
                ? requested(seen.wanted().kms().orElseThrow(), key)
                : isNewest || isInUse(seen, key) ? referenced(seen, key) : Optional.empty();
        update.filter(one -> !one.key().kms().equals(key.kms())).ifPresent(updates::add);
      }
    }
    return List.copyOf(updates);
  }

  private static Optional<Update> requested(RequestedEncryption.Kms asked, Key key) {
    KmsKey fresh = asked.keyFor(key.serial());
    return Optional.of(
        new Update(
            key.with(
                fresh.at(key.kms().orElseThrow().endpoint().within(fresh.endpoint().timeout()))),
            asked.config()));
  }

  private static Optional<Update> referenced(ObservedState seen, Key key) {
    return seen.stored().references().get(key.serial()) instanceof KeyReferences.Contents contents
        ? Optional.of(
            new Update(key.with(key.kms().orElseThrow().with(contents)), contents.config()))
        : Optional.empty();
  }

  /// Keys in use that refer to an object that is missing, and what is missing. They keep the
  /// contents that they have.
  public static SortedMap<KeySerial, String> missing(ObservedState seen) {
    var missing = new TreeMap<KeySerial, String>();
    for (Key key : seen.ring().keys()) {
      if (isInUse(seen, key)
          && seen.stored().references().get(key.serial())
              instanceof KeyReferences.Missing(var problem)) {
        missing.put(key.serial(), problem);
      }
    }
    return missing;
  }

  private static boolean isInUse(ObservedState seen, Key key) {
    return seen.deployed().filter(layout -> isRead(layout, key.serial())).isPresent()
        || seen.stored().published().filter(layout -> isRead(layout, key.serial())).isPresent();
  }

  private static boolean isRead(EncryptionLayout layout, KeySerial serial) {
    return layout.stacks().values().stream().anyMatch(stack -> stack.reads(serial));
  }
}
