package io.keyward.kms.plugin.revision;

import io.keyward.kms.plugin.revision.KmsField.ContentOf;
import io.keyward.kms.plugin.revision.KmsField.FileOf;
import io.keyward.kms.plugin.revision.KmsField.Filled;
import io.keyward.kms.plugin.revision.KmsField.Reference;
import io.keyward.kms.plugin.revision.KmsField.TransitKey;
import io.keyward.kms.plugin.revision.KmsField.Words;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The types of `spec.encryption.kms` that this plugin serves, and what each of their fields
/// becomes. `docs/reference/kms-providers.md` has the same table.
public enum KmsType {
  VAULT(
      "Vault",
      "vault",
      "vault",
      List.of(
          KmsField.image(),
          KmsField.text("vaultAddress", "address"),
          KmsField.text("vaultNamespace", "namespace"),
          KmsField.text("vaultAuthNamespace", "authNamespace"),
          KmsField.of("vaultKeyPath", new TransitKey()),
          KmsField.caBundle(),
          KmsField.text("tls.serverName", "tlsServerName"),
          KmsField.login("auth", Map.of("AppRole", "approle")),
          KmsField.of("authentication.appRole.secret.name", new ContentOf("role-id", "roleId")),
          KmsField.of(
              "authentication.appRole.secret.name",
              new FileOf(Reference.SECRET, "secret-id", "secretIdFile")))),
  AWS(
      "AWS",
      "aws",
      "aws",
      List.of(
          KmsField.image(),
          KmsField.text("keyARN", "key"),
          KmsField.text("region", "region"),
          KmsField.text("endpoint", "endpoint"),
          KmsField.caBundle(),
          KmsField.login("", Map.of("Default", "", "AssumeRole", "", "AccessKey", "")),
          KmsField.text("authentication.roleARN", "roleArn"),
          KmsField.credential("AccessKey", "credentials", "credentialsFile"))),
  AZURE(
      "Azure",
      "azure",
      "azure",
      List.of(
          KmsField.image(),
          KmsField.text("keyVaultURL", "vaultUrl"),
          KmsField.text("keyName", "key"),
          KmsField.of(
              "cloud",
              new Words(
                  "authorityHost",
                  Map.of(
                      "AzurePublicCloud",
                      "https://login.microsoftonline.com",
                      "AzureUSGovernmentCloud",
                      "https://login.microsoftonline.us",
                      "AzureChinaCloud",
                      "https://login.chinacloudapi.cn"))),
          KmsField.text("tenantID", "tenantId"),
          KmsField.caBundle(),
          KmsField.login(
              "authentication",
              Map.of(
                  "ManagedIdentity",
                  "managedIdentity",
                  "WorkloadIdentity",
                  "workloadIdentity",
                  "ClientSecret",
                  "clientSecret")),
          KmsField.text("authentication.clientID", "clientId"),
          KmsField.credential("ClientSecret", "client-secret", "clientSecretFile"))),
  GCP(
      "GCP",
      "gcp",
      "gcp",
      List.of(
          KmsField.image(),
          KmsField.text("keyName", "key"),
          KmsField.text("endpoint", "endpoint"),
          KmsField.caBundle(),
          KmsField.login("", Map.of("Default", "", "ServiceAccountKey", "")),
          KmsField.credential("ServiceAccountKey", "service-account.json", "credentialsFile"))),
  IBM_CLOUD(
      "IBMCloud",
      "ibmCloud",
      "ibm",
      List.of(
          KmsField.image(),
          KmsField.text("instanceID", "instanceId"),
          KmsField.text("rootKeyID", "keyId"),
          KmsField.of("region", new Filled("url", "https://%s.kms.cloud.ibm.com")),
          KmsField.text("endpoint", "url"),
          KmsField.caBundle(),
          KmsField.login(
              "tokenFile",
              Map.of("APIKey", "", "TrustedProfile", "/var/run/secrets/tokens/sa-token")),
          KmsField.text("authentication.profileID", "profileId"),
          KmsField.credential("APIKey", "api-key", "apiKeyFile"))),
  PKCS11(
      "PKCS11",
      "pkcs11",
      "pkcs11",
      List.of(
          KmsField.image(),
          KmsField.text("modulePath", "module"),
          KmsField.text("tokenSerial", "tokenSerial"),
          KmsField.text("tokenLabel", "tokenLabel"),
          KmsField.text("keyLabel", "keyLabel"),
          KmsField.text("keyID", "keyId"),
          KmsField.login("", Map.of("PIN", "")),
          KmsField.credential("PIN", "pin", "pinFile")));

  private static final List<KmsType> ALL = List.of(values());

  private final String word;
  private final String member;
  private final String provider;

  // It comes from List.of and cannot change, which its type does not show.
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<KmsField> fields;

  KmsType(String word, String member, String provider, List<KmsField> fields) {
    this.word = word;
    this.member = member;
    this.provider = provider;
    this.fields = fields;
  }

  /// As in `type`.
  public String word() {
    return word;
  }

  /// Of `kms`, with the fields.
  public String member() {
    return member;
  }

  /// The name of the provider that serves it.
  public String provider() {
    return provider;
  }

  /// The field with the address of the KMS, if there is one.
  public Optional<String> addressField() {
    return switch (this) {
      case VAULT -> Optional.of("vaultAddress");
      case AZURE -> Optional.of("keyVaultURL");
      case AWS, GCP, IBM_CLOUD -> Optional.of("endpoint");
      case PKCS11 -> Optional.empty();
    };
  }

  /// In the order in which they are applied: the later one wins.
  public List<KmsField> fields() {
    return fields;
  }

  static Optional<KmsType> parse(String word) {
    return ALL.stream().filter(type -> type.word.equals(word)).findFirst();
  }
}
