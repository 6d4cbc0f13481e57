package io.keyward.core.condition;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyRing;
import io.keyward.core.model.key.Mode;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/// The `Encrypted` condition, whose reasons and messages others parse.
final class EncryptedWords {
  private static final String TYPE = "Encrypted";

  private EncryptedWords() {}

  /// While instances change, what was said before still stands.
  static Optional<Words> of(ObservedState seen, Decisions decisions) {
    if (!seen.isEnabled()) {
      return Optional.of(Words.no(TYPE));
    }
    if (!seen.isConverged()) {
      return Words.before(TYPE, seen)
          .map(old -> new Words(TYPE, old.status(), old.reason(), old.message()));
    }
    KeyRing ring = seen.ring();
    if (ring.newest().isEmpty()) {
      return Optional.of(Words.no(TYPE, "EncryptionDisabled", "Encryption is not enabled"));
    }
    EncryptionLayout current = seen.deployed().orElse(EncryptionLayout.EMPTY);
    EncryptionLayout desired = decisions.layout().next().orElse(current);
    Collection<Resource> wanted = seen.wanted().resources();
    return Optional.of(
        identity(desired, ring, wanted)
            .or(() -> firstOpen(current, ring, wanted))
            .orElseGet(() -> completed(wanted)));
  }

  private static Words completed(Collection<Resource> wanted) {
    String names = wanted.stream().map(Resource::canonical).collect(Collectors.joining(", "));
    return Words.yes(TYPE, "EncryptionCompleted", "All resources encrypted: " + names);
  }

  private static Optional<Words> identity(
      EncryptionLayout layout, KeyRing ring, Collection<Resource> wanted) {
    return wanted.stream()
        .flatMap(resource -> layout.stack(resource).write().stream())
        .flatMap(serial -> ring.find(serial).stream())
        .filter(key -> key.mode() == Mode.IDENTITY)
        .findFirst()
        .map(key ->
            key.isMigratedFor(wanted)
                ? Words.no(
                    TYPE,
                    "DecryptionCompleted",
                    "Encryption mode set to identity and everything is decrypted")
                : Words.no(
                    TYPE,
                    "DecryptionInProgress",
                    "Encryption mode set to identity and decryption is not finished"));
  }

  private static Optional<Words> firstOpen(
      EncryptionLayout current, KeyRing ring, Collection<Resource> wanted) {
    return wanted.stream().flatMap(resource -> open(resource, current, ring).stream()).findFirst();
  }

  private static Optional<Words> open(Resource resource, EncryptionLayout current, KeyRing ring) {
    if (!current.covers(resource) || current.stack(resource).write().isEmpty()) {
      return inProgress("Resource " + resource + " is not encrypted");
    }
    for (Key read : current.stack(resource).keys()) {
      Key key = ring.find(read.serial()).orElse(read);
      if (key.mode() == Mode.IDENTITY) {
        return inProgress("Encryption is ongoing");
      }
      if (key.migrated().resources().contains(resource)) {
        return Optional.empty();
      }
    }
    return inProgress("Resource " + resource + " is being encrypted");
  }

  private static Optional<Words> inProgress(String message) {
    return Optional.of(Words.no(TYPE, "EncryptionInProgress", message));
  }
}
