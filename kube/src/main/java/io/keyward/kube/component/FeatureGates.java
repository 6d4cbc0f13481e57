package io.keyward.kube.component;

/// What an admin may turn off as a whole.
///
/// @param kmsEncryptionProvider whether the mode KMS may be asked for; keys of a KMS that are in
///   use stay readable either way
public record FeatureGates(boolean kmsEncryptionProvider) {
  public static final FeatureGates DEFAULT = new FeatureGates(true);
  public static final String KMS_ENCRYPTION_PROVIDER = "KMSEncryptionProvider";
}
