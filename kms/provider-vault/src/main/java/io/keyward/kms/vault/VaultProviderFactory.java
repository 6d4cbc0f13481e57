package io.keyward.kms.vault;

import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SecretFile;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.Setting.Kind;
import io.keyward.kms.spi.SettingsException;
import io.keyward.kms.vault.tls.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Makes the provider `vault`.
public final class VaultProviderFactory implements KmsProviderFactory {
  private static final String ADDRESS = "address";
  private static final String NAMESPACE = "namespace";
  private static final String AUTH_NAMESPACE = "authNamespace";
  private static final String MOUNT = "mount";
  private static final String KEY = "key";
  private static final String IDENTITY = "identity";
  private static final String AUTH = "auth";
  private static final String AUTH_MOUNT = "authMount";
  private static final String ROLE = "role";
  private static final String ROLE_ID = "roleId";
  private static final String SECRET_ID_FILE = "secretIdFile";
  private static final String TOKEN_FILE = "tokenFile";
  private static final String JWT_FILE = "jwtFile";
  private static final String CA_FILE = "caFile";
  private static final String SERVER_NAME = "tlsServerName";
  private static final String CERTIFICATE_FILE = "clientCertFile";
  private static final String CERTIFICATE_KEY_FILE = "clientKeyFile";

  private static final String SERVICE_ACCOUNT =
      "/var/run/secrets/kubernetes.io/serviceaccount/token";

  @Override
  public String name() {
    return KeyPath.PROVIDER;
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.required(ADDRESS, Kind.TEXT, "of Vault or OpenBao, https://host:port"),
        Setting.required(KEY, Kind.TEXT, "name of the transit key"),
        Setting.optional(MOUNT, Kind.TEXT, "where the transit engine is (default: transit)"),
        Setting.optional(NAMESPACE, Kind.TEXT, "namespace of the transit engine (default: none)"),
        Setting.optional(IDENTITY, Kind.TEXT, "former address of a key that has moved"),
        Setting.required(AUTH, Kind.TEXT, "token, approle, kubernetes, jwt or cert"),
        Setting.optional(AUTH_MOUNT, Kind.TEXT, "where the auth method is (default: its name)"),
        Setting.optional(AUTH_NAMESPACE, Kind.TEXT, "namespace of the login (default: namespace)"),
        Setting.optional(ROLE, Kind.TEXT, "role for kubernetes, jwt and cert"),
        Setting.optional(ROLE_ID, Kind.TEXT, "role id for approle"),
        Setting.optional(SECRET_ID_FILE, Kind.FILE, "file with the secret id for approle"),
        Setting.optional(TOKEN_FILE, Kind.FILE, "file with the token for token"),
        Setting.optional(JWT_FILE, Kind.FILE, "file with the JWT for jwt and kubernetes"),
        Setting.optional(CA_FILE, Kind.FILE, "who signed Vault's certificate (default: the JDK's)"),
        Setting.optional(SERVER_NAME, Kind.TEXT, "name in Vault's certificate, if not address's"),
        Setting.optional(CERTIFICATE_FILE, Kind.FILE, "our certificate, for cert"),
        Setting.optional(CERTIFICATE_KEY_FILE, Kind.FILE, "its key (default: the same file)"));
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    URI address = address(settings.requiredText(ADDRESS));
    String namespace = path(settings, NAMESPACE, "");
    String mount = path(settings, MOUNT, "transit");
    String key = settings.requiredText(KEY);
    if (!key.matches("[A-Za-z0-9_.-]{1,200}")) {
      throw new SettingsException(KEY, "must be the name of a transit key: " + key);
    }
    String identity =
        settings.text(IDENTITY).orElseGet(() -> identity(address, namespace, mount, key));
    VaultLogin login = login(settings);
    var http = new VaultHttp(address, tls(settings, address, login));
    var sessions =
        new Sessions(
            http, login, path(settings, AUTH_NAMESPACE, namespace), InstantSource.system());
    return new VaultProvider(
        new KeyPath(mount, key, identity),
        namespace,
        http,
        sessions,
        login instanceof VaultLogin.Certificate);
  }

  /// As people write it: address, namespace if there is one, mount and key.
  private static String identity(URI address, String namespace, String mount, String key) {
    return address + "/" + (namespace.isEmpty() ? "" : namespace + "/") + mount + "/" + key;
  }

  /// Only scheme, host and port, written in one way.
  private static URI address(String given) {
    URI uri;
    try {
      uri = URI.create(given);
    } catch (IllegalArgumentException _) {
      throw new SettingsException(ADDRESS, "is not an address: " + given);
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String path = String.valueOf(uri.getRawPath());
    if (uri.getHost() == null
        || uri.getRawUserInfo() != null
        || !(path.isEmpty() || path.equals("/"))
        || !(scheme.equals("https") || scheme.equals("http"))) {
      throw new SettingsException(ADDRESS, "must be like https://vault.example.org:8200: " + given);
    }
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    if (scheme.equals("http") && !host.matches("localhost|127\\.[0-9.]+|\\[::1]")) {
      throw new SettingsException(
          ADDRESS, "must be https: tokens and keys would cross the network in the clear: " + given);
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
    return URI.create(scheme + "://" + host + ":" + port);
  }

  /// A mount or a namespace: words with slashes between them, none at the ends.
  private static String path(ProviderSettings settings, String name, String otherwise) {
    String given = settings.text(name).orElse(otherwise).replaceAll("^/+|/+$", "");
    if (!given.isEmpty() && !given.matches("[A-Za-z0-9_.-]{1,100}(/[A-Za-z0-9_.-]{1,100}){0,9}")) {
      throw new SettingsException(name, "must be a path like team/transit: " + given);
    }
    if (given.isEmpty() && !otherwise.isEmpty()) {
      throw new SettingsException(name, "must not be empty");
    }
    return given;
  }

  private static VaultLogin login(ProviderSettings settings) {
    String auth = settings.requiredText(AUTH);
    return switch (auth) {
      case "token" -> new VaultLogin.TokenFile(file(settings, TOKEN_FILE));
      case "approle" ->
          new VaultLogin.AppRole(
              path(settings, AUTH_MOUNT, auth),
              settings.requiredText(ROLE_ID),
              file(settings, SECRET_ID_FILE));
      case "jwt" ->
          new VaultLogin.Jwt(
              auth,
              path(settings, AUTH_MOUNT, auth),
              settings.requiredText(ROLE),
              file(settings, JWT_FILE));
      case "kubernetes" ->
          new VaultLogin.Jwt(
              auth,
              path(settings, AUTH_MOUNT, auth),
              settings.requiredText(ROLE),
              settings.text(JWT_FILE).isPresent()
                  ? file(settings, JWT_FILE)
                  : new SecretFile(Path.of(SERVICE_ACCOUNT)));
      case "cert" ->
          new VaultLogin.Certificate(path(settings, AUTH_MOUNT, auth), settings.text(ROLE));
      default ->
          throw new SettingsException(
              AUTH, "must be token, approle, kubernetes, jwt or cert: " + auth);
    };
  }

  private static SecretFile file(ProviderSettings settings, String name) {
    return new SecretFile(settings.requiredFile(name));
  }

  private static Tls tls(ProviderSettings settings, URI address, VaultLogin login) {
    Optional<Path> ca = settings.text(CA_FILE).map(_ -> settings.requiredFile(CA_FILE));
    Optional<Tls.Own> own =
        settings
            .text(CERTIFICATE_FILE)
            .map(_ ->
                new Tls.Own(
                    settings.requiredFile(CERTIFICATE_FILE),
                    settings.requiredFile(
                        settings.text(CERTIFICATE_KEY_FILE).isPresent()
                            ? CERTIFICATE_KEY_FILE
                            : CERTIFICATE_FILE)));
    if (login instanceof VaultLogin.Certificate
        && (own.isEmpty() || !address.getScheme().equals("https"))) {
      throw new SettingsException(CERTIFICATE_FILE, "is needed for auth cert, with https");
    }
    Optional<String> name = settings.text(SERVER_NAME);
    if (name.isPresent() && !name.get().matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")) {
      throw new SettingsException(SERVER_NAME, "must be a host name: " + name.get());
    }
    return new Tls(ca, own, name);
  }
}
