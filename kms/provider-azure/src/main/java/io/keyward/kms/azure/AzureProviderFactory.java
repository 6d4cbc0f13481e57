package io.keyward.kms.azure;

import com.azure.security.keyvault.keys.cryptography.models.KeyWrapAlgorithm;
import io.keyward.kms.azure.Identity.Application;
import io.keyward.kms.remote.HttpsAddress;
import io.keyward.kms.remote.TrustedCa;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SecretFile;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.Setting.Kind;
import io.keyward.kms.spi.SettingsException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the provider `azure`.
public final class AzureProviderFactory implements KmsProviderFactory {
  static final String NAME = "azure";

  private static final String VAULT = "vaultUrl";
  private static final String KEY = "key";
  private static final String VERSION = "keyVersion";
  private static final String ALGORITHM = "algorithm";
  private static final String LOGIN = "authentication";
  private static final String TENANT = "tenantId";
  private static final String CLIENT = "clientId";
  private static final String SECRET = "clientSecretFile";
  private static final String CERTIFICATE = "certificateFile";
  private static final String TOKEN = "tokenFile";
  private static final String AUTHORITY = "authorityHost";
  private static final String ENDPOINT = "endpoint";
  private static final String CA = "caFile";

  private final Map<String, URI> elsewhere;

  public AzureProviderFactory() {
    this(Map.of());
  }

  /// For tests: where to connect instead of to the hosts named.
  AzureProviderFactory(Map<String, URI> elsewhere) {
    this.elsewhere = elsewhere;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.required(
            VAULT, Kind.TEXT, "https://NAME.vault.azure.net or https://NAME.managedhsm.azure.net"),
        Setting.required(KEY, Kind.TEXT, "name of the key"),
        Setting.optional(
            VERSION, Kind.TEXT, "version to wrap with (default: the newest that is enabled)"),
        Setting.optional(
            ALGORITHM, Kind.TEXT, "RSA-OAEP-256 (default), or A256KW for AES keys of an HSM"),
        Setting.optional(
            LOGIN,
            Kind.TEXT,
            "managedIdentity (default), workloadIdentity, clientSecret or certificate"),
        Setting.optional(TENANT, Kind.TEXT, "id of the tenant"),
        Setting.optional(CLIENT, Kind.TEXT, "client id of the identity"),
        Setting.optional(SECRET, Kind.FILE, "file with the client secret"),
        Setting.optional(CERTIFICATE, Kind.FILE, "PEM file with certificate and private key"),
        Setting.optional(TOKEN, Kind.FILE, "file with the token of the workload"),
        Setting.optional(
            AUTHORITY, Kind.TEXT, "where to log in (default: https://login.microsoftonline.com)"),
        Setting.optional(ENDPOINT, Kind.TEXT, "address to connect to, if not the vault's own"),
        Setting.optional(CA, Kind.FILE, "PEM file of the authorities to trust, and no others"));
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    return create(settings, Clock.systemUTC());
  }

  /// On a machine with this clock.
  KmsProvider create(ProviderSettings settings, Clock clock) {
    VaultKey key = key(settings);
    Identity identity = identity(settings);
    Optional<TrustedCa> ca = HttpsAddress.authorities(settings, CA);
    var targets = new HashMap<>(elsewhere);
    settings
        .text(ENDPOINT)
        .ifPresent(value -> targets.put(key.vault().getHost(), HttpsAddress.of(ENDPOINT, value)));
    var wire = new RedirectingHttpClient(ca, targets);
    return new AzureProvider(key, wire, identity.credential(wire), identity::until, clock);
  }

  private static VaultKey key(ProviderSettings settings) {
    URI vault = HttpsAddress.of(VAULT, settings.requiredText(VAULT));
    String algorithm = settings.text(ALGORITHM).orElse("RSA-OAEP-256");
    if (!List.of("RSA-OAEP-256", "A256KW").contains(algorithm)) {
      throw new SettingsException(ALGORITHM, "must be RSA-OAEP-256 or A256KW: " + algorithm);
    }
    try {
      return new VaultKey(
          vault,
          settings.requiredText(KEY),
          settings.text(VERSION),
          KeyWrapAlgorithm.fromString(algorithm));
    } catch (IllegalArgumentException e) {
      throw new SettingsException(KEY, String.valueOf(e.getMessage()));
    }
  }

  private static Identity identity(ProviderSettings settings) {
    String way = settings.text(LOGIN).orElse("managedIdentity");
    return switch (way) {
      case "managedIdentity" -> new Identity.Managed(settings.text(CLIENT));
      case "workloadIdentity" ->
          new Identity.Workload(application(settings), new SecretFile(workloadToken(settings)));
      case "clientSecret" ->
          new Identity.ClientSecret(
              application(settings), new SecretFile(settings.requiredFile(SECRET)));
      case "certificate" ->
          new Identity.Certificate(
              application(settings), new SecretFile(settings.requiredFile(CERTIFICATE)));
      default -> throw new SettingsException(LOGIN, "there is no way to log in called " + way);
    };
  }

  /// What the workload identity webhook of AKS puts into the environment counts where nothing is
  /// configured. None of it is secret.
  private static Application application(ProviderSettings settings) {
    return new Application(
        setting(settings, TENANT, "AZURE_TENANT_ID"),
        setting(settings, CLIENT, "AZURE_CLIENT_ID"),
        settings
            .text(AUTHORITY)
            .map(value -> HttpsAddress.of(AUTHORITY, value).toString())
            .or(() -> Optional.ofNullable(System.getenv("AZURE_AUTHORITY_HOST"))));
  }

  private static Path workloadToken(ProviderSettings settings) {
    return settings.text(TOKEN).isPresent()
        ? settings.requiredFile(TOKEN)
        : Path.of(setting(settings, TOKEN, "AZURE_FEDERATED_TOKEN_FILE"));
  }

  private static String setting(ProviderSettings settings, String name, String variable) {
    return settings
        .text(name)
        .or(() -> Optional.ofNullable(System.getenv(variable)))
        .orElseThrow(() -> new SettingsException(name, "is missing"));
  }
}
