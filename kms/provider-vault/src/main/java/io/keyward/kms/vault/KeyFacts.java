package io.keyward.kms.vault;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KekReport.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What Vault says about a key and about our rights, as a report. Pure.
final class KeyFacts {
  private KeyFacts() {}

  /// Of the answer to reading the key (`empty` where that is not allowed) and of the capabilities.
  static KekReport report(
      KeyPath path,
      Optional<VaultJson> key,
      VaultJson capabilities,
      Optional<Instant> credentialsUntil,
      Optional<String> clock) {
    var warnings = new ArrayList<String>();
    clock.ifPresent(warnings::add);
    State state = State.UNKNOWN;
    if (key.isPresent()) {
      state = state(key.get());
      about(key.get(), path, warnings);
    } else {
      warnings.add(
          "the key cannot be watched: give the policy the capability read on " + path.read());
    }
    rights(path, capabilities, warnings);
    return new KekReport(state, Optional.empty(), credentialsUntil, warnings);
  }

  private static State state(VaultJson key) {
    if (key.isTrue("soft_deleted")) {
      return State.PENDING_DELETION;
    }
    boolean both = key.isTrue("supports_encryption") && key.isTrue("supports_decryption");
    return both ? State.ENABLED : State.DISABLED;
  }

  private static void about(VaultJson key, KeyPath path, List<String> warnings) {
    if (!key.isTrue("supports_encryption")) {
      warnings.add(
          "the type of the key (" + type(key) + ") is not for encryption: use aes256-gcm96");
    }
    if (key.isTrue("soft_deleted")) {
      warnings.add("the key is soft-deleted: restore it now");
    }
    if (key.isTrue("deletion_allowed")) {
      warnings.add(
          "the key may be deleted: set deletion_allowed=false with 'vault write "
              + path.read()
              + "/config'");
    }
    long oldest = key.number("min_decryption_version").orElse(1L);
    if (oldest > 1) {
      warnings.add(
          "values wrapped with a version before "
              + oldest
              + " cannot be opened: lower min_decryption_version if the audit still finds some");
    }
    if (key.isTrue("exportable") || key.isTrue("allow_plaintext_backup")) {
      warnings.add(
          "the key can leave Vault (exportable or allow_plaintext_backup), and that cannot be"
              + " undone: use a key for which both are false");
    }
  }

  /// Vault's own word for it, which is no secret but is not ours either: letters and digits only.
  private static String type(VaultJson key) {
    String type = key.text("type");
    return type.matches("[a-z0-9_-]{1,40}") ? type : "unknown";
  }

  private static void rights(KeyPath path, VaultJson capabilities, List<String> warnings) {
    if (capabilities.fields().isEmpty()) {
      return;
    }
    for (String needed : List.of(path.encrypt(), path.decrypt())) {
      List<String> granted = capabilities.texts(needed);
      if (!granted.contains("update") && !granted.contains("root")) {
        warnings.add("the policy lacks the capability update on " + needed + ": add it");
      }
    }
    if (capabilities.texts(path.encrypt()).contains("create")) {
      warnings.add(
          "the policy has the capability create on "
              + path.encrypt()
              + ", so a deleted key would be created again under the same name: remove it");
    }
  }
}
