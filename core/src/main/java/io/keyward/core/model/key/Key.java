package io.keyward.core.model.key;

import io.keyward.core.model.Resource;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.RemoteKey;
import java.util.Collection;
import java.util.Optional;

/// One key, as far as it is known from its secret, from a configuration, or from both.
///
/// @param backed a readable key secret holds it
/// @param stage what its secret says; a configuration alone does not tell
public record Key(
    KeySerial serial,
    Mode mode,
    KeyMaterial material,
    boolean backed,
    Optional<KmsKey> kms,
    Migrated migrated,
    String internalReason,
    String externalReason,
    KeyStage stage) {

  /// Sixteen zero bytes: a valid AES key that never seals anything. Stands in for identity and KMS.
  public static final KeyMaterial NULL_MATERIAL = KeyMaterial.copyOf(new byte[16]);

  public Key(
      KeySerial serial,
      Mode mode,
      KeyMaterial material,
      boolean backed,
      Optional<KmsKey> kms,
      Migrated migrated,
      String internalReason,
      String externalReason) {
    this(
        serial,
        mode,
        material,
        backed,
        kms,
        migrated,
        internalReason,
        externalReason,
        KeyStage.WRITE);
  }

  /// A key as a configuration shows it: nothing is known of its migrations and reasons.
  public static Key unbacked(
      KeySerial serial, Mode mode, KeyMaterial material, Optional<KmsKey> kms) {
    return new Key(serial, mode, material, false, kms, Migrated.NOTHING, "", "");
  }

  /// Same serial, mode and bytes. The KMS configuration is no part: it may change in place.
  public boolean isSame(Key other) {
    return serial.equals(other.serial) && mode == other.mode && material.equals(other.material);
  }

  /// A secret that says something else about data already sealed would make that data unreadable.
  public boolean contradicts(Key inUse) {
    if (!isSame(inUse)) {
      return true;
    }
    if (kms.equals(inUse.kms)) {
      return false;
    }
    Optional<RemoteKey> mine = kms.flatMap(KmsKey::remoteKey);
    Optional<RemoteKey> theirs = inUse.kms.flatMap(KmsKey::remoteKey);
    return mine.isPresent() && theirs.isPresent() && !mine.equals(theirs);
  }

  public boolean isMigratedFor(Collection<Resource> resources) {
    return migrated.resources().containsAll(resources);
  }

  /// Whether a key secret could be written from this alone.
  public boolean isComplete() {
    return switch (mode) {
      case IDENTITY, AESCBC, AESGCM, SECRETBOX -> true;
      case KMS -> kms.flatMap(KmsKey::plugin).isPresent();
    };
  }

  public Key with(Migrated other) {
    return new Key(
        serial, mode, material, backed, kms, other, internalReason, externalReason, stage);
  }

  public Key with(KmsKey other) {
    return new Key(
        serial,
        mode,
        material,
        backed,
        Optional.of(other),
        migrated,
        internalReason,
        externalReason,
        stage);
  }

  /// A mark shows that data was written with it, whatever somebody wrote on its secret.
  public boolean isRetracted() {
    return stage == KeyStage.RETRACTED && migrated.at().isEmpty() && migrated.resources().isEmpty();
  }

  public Key at(KeyStage other) {
    return new Key(
        serial, mode, material, backed, kms, migrated, internalReason, externalReason, other);
  }

  public Key asBacked() {
    return new Key(
        serial, mode, material, true, kms, migrated, internalReason, externalReason, stage);
  }

  /// Short, for reasons and scenario files: `aescbc:3`.
  public String label() {
    return mode.word() + ":" + serial;
  }
}
