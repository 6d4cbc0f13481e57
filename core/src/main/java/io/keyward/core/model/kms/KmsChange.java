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

  /// Keys with what they should hold by now. The newest takes over everything that may change in
  /// place; older ones in use only the credentials they share, so their plugins can still start.
  public static List<Key> outdated(ObservedState seen, KeyRing ring) {
    Optional<RequestedEncryption.Kms> asked = seen.wanted().kms();
    Optional<Key> newestKey = ring.newest();
    if (asked.isEmpty() || newestKey.isEmpty()) {
      return List.of();
    }
    Key newest = newestKey.orElseThrow();
    var updates = new ArrayList<Key>();
    for (Key key : ring.keys()) {
      boolean inUse =
          key.equals(newest)
              || seen.deployed().filter(d -> isRead(d, key.serial())).isPresent()
              || seen.stored().published().filter(d -> isRead(d, key.serial())).isPresent();
      if (key.backed() && key.mode() == Mode.KMS && key.kms().isPresent() && inUse) {
        KmsKey held = key.kms().orElseThrow();
        KmsKey fresh = asked.orElseThrow().keyFor(key.serial());
        boolean whole = key.equals(newest) && isSameRemoteKey(seen.wanted(), key);
        KmsKey updated =
            whole
                ? fresh.at(held.endpoint().within(fresh.endpoint().timeout()))
                : held.withCredentialsOf(fresh);
        if (!updated.equals(held)) {
          updates.add(key.with(updated));
        }
      }
    }
    return List.copyOf(updates);
  }

  private static boolean isRead(EncryptionLayout layout, KeySerial serial) {
    return layout.stacks().values().stream().anyMatch(stack -> stack.reads(serial));
  }
}
