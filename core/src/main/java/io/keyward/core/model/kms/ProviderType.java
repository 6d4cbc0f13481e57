package io.keyward.core.model.kms;

import java.util.List;
import java.util.Optional;

/// The KMS providers of `APIServer.spec.encryption.kms`, and what each of their fields means.
///
/// A field that names the remote key makes a new key and a migration when it changes. Every other
/// known field is changed in place. A field that is not in the table counts as naming the key:
/// re-encrypting without need is slow, pointing a key at another remote key loses data.
public enum ProviderType {
  VAULT(
      "Vault",
      "vault",
      List.of("vaultAddress", "vaultNamespace", "vaultKeyPath"),
      List.of(
          "kmsPluginImage",
          "vaultAuthNamespace",
          "tls.caBundle.name",
          "tls.serverName",
          "authentication.type",
          "authentication.appRole.secret.name")),
  AWS(
      "AWS",
      "aws",
      List.of("keyARN"),
      List.of(
          "kmsPluginImage",
          "region",
          "endpoint",
          "tls.caBundle.name",
          "authentication.type",
          "authentication.roleARN",
          "authentication.secret.name")),
  AZURE(
      "Azure",
      "azure",
      List.of("keyVaultURL", "keyName"),
      List.of(
          "kmsPluginImage",
          "cloud",
          "tenantID",
          "tls.caBundle.name",
          "authentication.type",
          "authentication.clientID",
          "authentication.secret.name")),
  GCP(
      "GCP",
      "gcp",
      List.of("keyName"),
      List.of(
          "kmsPluginImage",
          "endpoint",
          "tls.caBundle.name",
          "authentication.type",
          "authentication.secret.name")),
  IBM_CLOUD(
      "IBMCloud",
      "ibmCloud",
      List.of("instanceID", "rootKeyID"),
      List.of(
          "kmsPluginImage",
          "endpoint",
          "region",
          "tls.caBundle.name",
          "authentication.type",
          "authentication.profileID",
          "authentication.secret.name")),
  PKCS11(
      "PKCS11",
      "pkcs11",
      List.of("tokenSerial", "tokenLabel", "keyLabel", "keyID"),
      List.of("kmsPluginImage", "modulePath", "authentication.type", "authentication.secret.name")),
  EXTERNAL("External", "external", List.of("endpoint"), List.of("timeout"));

  private static final List<ProviderType> ALL = List.of(values());

  private final String word;
  private final String member;

  // Both come from List.of and cannot change, which their type does not show.
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<String> remoteKeyFields;

  @SuppressWarnings("ImmutableEnumChecker")
  private final List<String> inPlaceFields;

  ProviderType(
      String word, String member, List<String> remoteKeyFields, List<String> inPlaceFields) {
    this.word = word;
    this.member = member;
    this.remoteKeyFields = remoteKeyFields;
    this.inPlaceFields = inPlaceFields;
  }

  /// The union's discriminator.
  public String word() {
    return word;
  }

  /// The union member that holds the fields.
  public String member() {
    return member;
  }

  public List<String> remoteKeyFields() {
    return remoteKeyFields;
  }

  public List<String> inPlaceFields() {
    return inPlaceFields;
  }

  public static Optional<ProviderType> parse(String word) {
    for (ProviderType type : ALL) {
      if (type.word.equals(word)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
