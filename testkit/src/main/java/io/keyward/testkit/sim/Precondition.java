package io.keyward.testkit.sim;

/// What a write of an operator is conditional on. A mutant ignores one of them.
enum Precondition {
  /// A new key secret does not replace one.
  KEY_IS_NEW,

  /// A key secret is what was seen, also when it is marked.
  KEY_VERSION,

  /// No key is minted if the configuration was written since.
  MINT_CONFIG,

  /// No key is minted if a key secret was written or deleted since.
  MINT_KEYS,

  /// No key is minted if nodes reported or targets changed since.
  MINT_STATUS,

  /// The migration that proves a mark is what was seen.
  MARK_PROOF,

  /// A key secret is deleted only as it was seen.
  PRUNE_VERSION,

  /// The configuration is what was seen.
  CONFIG_VERSION,

  /// No configuration is written if nodes reported or targets changed since.
  PUBLISH_STATUS,

  /// No configuration drops a key whose secret was deleted since.
  PUBLISH_KEYS,

  /// A migration is started in place of the one that was seen.
  MIGRATION_VERSION,

  /// The record of preflights is what was seen.
  PREFLIGHT_VERSION,

  /// A health report is removed only as it was seen.
  REPORT_VERSION,

  /// A complete revision is never written over.
  REVISION_IS_NEW,

  /// Nobody else began the same revision.
  REVISION_OWNER,

  /// A revision is not announced if the configuration was written since.
  REVISION_CONFIG,

  /// A plugin that users run is tried on every node.
  ALL_NODES_ANSWER,

  /// The Deployment is what was seen.
  DEPLOYMENT_VERSION,

  /// The status with targets and the newest revision is what was seen.
  STATUS_VERSION
}
