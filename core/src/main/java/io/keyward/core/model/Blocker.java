package io.keyward.core.model;

/// What something waits for, and what ends the wait. The names are reasons that users see.
public enum Blocker {
  ROLLOUT("WaitingForRollout", "all instances run the same revision and are ready"),
  PUBLISHED("WaitingForNewRevision", "all instances run the configuration that was written"),
  MIGRATION("WaitingForMigration", "all resources are rewritten under the newest key"),
  PREFLIGHT("WaitingForPreflight", "the check of this KMS configuration has a result"),
  READ_KEYS("WaitingForOldReadKeys", "old read keys have left the configuration"),
  KEY("WaitingForKeySecret", "the secret of the newest key is written again"),
  NEXT_KEY("WaitingForNextKey", "the key that is wanted now is there"),
  LAYOUT("WaitingForConfiguration", "the configuration has reached its next stable step"),
  MARKS("WaitingForMigrationRecord", "an untrue migration record is removed"),
  KMS("WaitingForKMSPlugin", "the plugin of the new key is healthy on every node"),
  EXISTING_ENCRYPTION(
      "ExistingEncryption",
      "no API server runs an encryption configuration that Keyward did not create"),
  UNKNOWN_REVISION(
      "UnknownRevision", "every node runs the content of a revision that the cluster knows"),
  AUDIT("WaitingForAudit", "an audit of etcd after the last migration is available");

  private final String reason;
  private final String ends;

  Blocker(String reason, String ends) {
    this.reason = reason;
    this.ends = ends;
  }

  public String reason() {
    return reason;
  }

  /// Completes the sentence "this ends when …".
  public String ends() {
    return ends;
  }
}
