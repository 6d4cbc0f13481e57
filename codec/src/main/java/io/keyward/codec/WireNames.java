package io.keyward.codec;

/// Names that others read. A change here is a breaking change.
public final class WireNames {
  static final String PREFIX = "encryption.apiserver.operator.openshift.io";
  public static final String MANAGED_NAMESPACE = "openshift-config-managed";
  public static final String COMPONENT_LABEL = PREFIX + "/component";
  public static final String FINALIZER = PREFIX + "/deletion-protection";
  public static final String DESCRIPTION = "kubernetes.io/description";
  public static final String MODE = PREFIX + "/mode";
  public static final String INTERNAL_REASON = PREFIX + "/internal-reason";
  public static final String EXTERNAL_REASON = PREFIX + "/external-reason";
  public static final String MIGRATED_TIMESTAMP = PREFIX + "/migrated-timestamp";
  public static final String MIGRATED_RESOURCES = PREFIX + "/migrated-resources";

  /// Ours, and optional: the KEK that each resource was last fully migrated under.
  public static final String MIGRATED_KEKS = PREFIX + "/migrated-kms-key-ids";

  /// Ours, and optional: when the last instance had come to that KEK.
  public static final String MIGRATED_KEKS_SINCE = PREFIX + "/migrated-kms-key-ids-since";

  /// Of an administrator: any new text requests that everything is re-encrypted under this key.
  public static final String REENCRYPT_REQUESTED = PREFIX + "/reencrypt-requested";

  /// Ours: the last such request that was taken up.
  public static final String REENCRYPT_SERVED = PREFIX + "/reencrypt-served";

  /// What OpenShift's controllers record about the remote key, for one whole key.
  public static final String MIGRATED_REMOTE = PREFIX + "/migrated-remote-key-id";

  public static final String TARGET_REMOTE = PREFIX + "/target-remote-key-id";
  public static final String CONVERGED_REMOTE = PREFIX + "/remote-key-converged-id";
  public static final String CONVERGED_AT = PREFIX + "/remote-key-converged-at";

  /// Ours, and optional: a KMS key is `read-only` until it may `write`, or is `retracted`.
  public static final String STAGE = PREFIX + "/stage";

  /// On a migration: what it was asked for.
  public static final String WRITE_KEY = PREFIX + "/write-key";

  public static final String KEK_ID = PREFIX + "/kms-key-id";

  /// Ours: which instances ran when the migration began.
  public static final String WITNESS = PREFIX + "/instances";

  public static final String KEY_DATA = PREFIX + "-key";
  public static final String KMS_ENCRYPTION_CONFIG = PREFIX + "-kms-encryption-config";
  public static final String KMS_PLUGIN_CONFIG = PREFIX + "-kms-plugin-config";
  public static final String KMS_PLUGIN_SECRET = PREFIX + "-kms-plugin-secret-";
  public static final String KMS_PLUGIN_CONFIGMAP = PREFIX + "-kms-plugin-configmap-";

  public static final String CONFIG_DATA = "encryption-config";
  static final String CONFIG_PLUGIN = "kms-plugin-config-";
  static final String CONFIG_SECRET = "kms-plugin-secret-";
  static final String CONFIG_CONFIGMAP = "kms-plugin-configmap-";

  static final String WARNING =
      """
      Do not edit.
      Data in etcd can only be read with what is stored here.
      A small change may make the whole cluster unreadable.\
      """;

  private WireNames() {}

  public static String keySecretName(String component, long serial) {
    return "encryption-key-" + component + "-" + serial;
  }

  public static String configSecretName(String component) {
    return "encryption-config-" + component;
  }

  /// As OpenShift names a migration. The name does not tell the API server.
  public static String migrationName(String group, String resource) {
    return "encryption-migration-" + (group.isEmpty() ? "core" : group) + "-" + resource;
  }

  /// As Keyward names a migration: two API servers may migrate the same resource at the same time.
  public static String migrationName(String group, String resource, String component) {
    return migrationName(group, resource) + "." + component;
  }
}
