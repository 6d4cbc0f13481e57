package io.keyward.core.preflight;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsChange;
import io.keyward.core.model.kms.KmsKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A KMS configuration to try, with the keys beside which it has to work.
///
/// @param key with the configuration; a new key has the number that it would get
/// @param layout the keys that instances use now, and this one
public record PreflightCandidate(Fingerprint config, Key key, EncryptionLayout layout) {

  /// The configuration, with its socket.
  public KmsKey kms() {
    return key.kms().orElseThrow();
  }

  /// Configurations that must be tried before they may be used: the requested one first, then those
  /// of keys in use whose references changed.
  static List<Fingerprint> needed(ObservedState seen) {
    var needed = new ArrayList<Fingerprint>();
    Optional<Fingerprint> requested = seen.wanted().kms().map(RequestedEncryption.Kms::config);
    if (seen.ring()
        .newest()
        .filter(key -> !KmsChange.asksForNewKey(seen.wanted(), key))
        .isEmpty()) {
      requested.ifPresent(needed::add);
    }
    List<Fingerprint> updates =
        KmsChange.outdated(seen, seen.ring()).stream().map(KmsChange.Update::config).toList();
    requested.filter(updates::contains).filter(one -> !needed.contains(one)).ifPresent(needed::add);
    updates.stream().filter(one -> !needed.contains(one)).forEach(needed::add);
    return List.copyOf(needed);
  }

  /// What a configuration that must be tried looks like.
  public static PreflightCandidate of(ObservedState seen, Fingerprint config) {
    Key key =
        KmsChange.outdated(seen, seen.ring()).stream()
            .filter(update -> update.config().equals(config))
            .map(KmsChange.Update::key)
            .findFirst()
            .orElseGet(() -> fresh(seen));
    EncryptionLayout inUse =
        seen.running()
            .or(() -> seen.stored().published())
            .or(() -> seen.revisions().newest())
            .orElse(EncryptionLayout.EMPTY);
    return new PreflightCandidate(config, key, KeyBeside.of(inUse, key, seen.wanted().resources()));
  }

  private static Key fresh(ObservedState seen) {
    KeySerial serial = seen.nextSerial();
    return Key.unbacked(
        serial,
        seen.wanted().mode(),
        Key.NULL_MATERIAL,
        seen.wanted().kms().map(kms -> kms.keyFor(serial)));
  }
}
