package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.Vault;
import io.keyward.testbed.binary.ServerBinaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// A real Vault with TLS, and an admin who sets it up.
final class RealVault implements AutoCloseable {
  private static final String POLICY =
      """
      path \\"transit/encrypt/*\\" { capabilities = [\\"update\\"] }
      path \\"transit/decrypt/*\\" { capabilities = [\\"update\\"] }
      path \\"transit/keys/*\\" { capabilities = [\\"read\\"] }
      """;

  private final Path directory;
  private final Vault vault;
  private final AtomicInteger files = new AtomicInteger();
  private final List<KmsProvider> opened = new ArrayList<>();

  RealVault(Path directory) {
    this.directory = directory;
    this.vault = Vault.start(directory.resolve("vault"), ServerBinaries.ofThisMachine(), true);
    setUp();
  }

  /// Everything that a Vault in memory loses with every start.
  void setUp() {
    admin("sys/mounts/transit", "{\"type\":\"transit\"}");
    admin("sys/auth/approle", "{\"type\":\"approle\"}");
    policy("kms", POLICY);
    key("kms", "{}");
    key("other", "{}");
  }

  Vault server() {
    return vault;
  }

  /// As root. Fails where Vault does.
  VaultJson admin(String path, String json) {
    try (ApiClient client = vault.client()) {
      var answer = client.post("/v1/" + path, json);
      assertThat(answer.isOk()).as("%s: %s", path, answer.body()).isTrue();
      return VaultJson.parse(answer.body().getBytes(UTF_8)).orElse(VaultJson.EMPTY);
    }
  }

  VaultJson read(String path) {
    try (ApiClient client = vault.client()) {
      return VaultJson.parse(client.get("/v1/" + path).body().getBytes(UTF_8))
          .orElse(VaultJson.EMPTY);
    }
  }

  void key(String name, String json) {
    admin("transit/keys/" + name, json);
  }

  void policy(String name, String hcl) {
    admin("sys/policies/acl/" + name, "{\"policy\":\"" + hcl.replace("\n", " ") + "\"}");
  }

  /// How many tokens there are: each login makes one.
  int tokens() {
    return read("auth/token/accessors?list=true").object("data").texts("keys").size();
  }

  void revokeLogins() {
    admin("sys/leases/revoke-prefix/auth/approle/login", "{\"sync\":true}");
  }

  /// A log of all requests from now on.
  Path audit() {
    String name = "audit-" + files.incrementAndGet();
    Path log = directory.resolve(name);
    admin("sys/audit/" + name, "{\"type\":\"file\",\"options\":{\"file_path\":\"" + log + "\"}}");
    return log;
  }

  /// How many of them went to `path`.
  static int requests(Path log, String path) throws IOException {
    try (var lines = Files.lines(log)) {
      return (int)
          lines
              .filter(line -> line.contains("\"type\":\"response\""))
              .filter(line -> line.contains("\"path\":\"" + path + "\""))
              .count();
    }
  }

  String newToken(String policy) {
    return admin("auth/token/create", "{\"policies\":[\"" + policy + "\"]}")
        .object("auth")
        .text("client_token");
  }

  Path file(String content) {
    return write(directory.resolve("file-" + files.incrementAndGet()), content);
  }

  static Path write(Path file, String content) {
    try {
      return Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Settings for an AppRole of its own, made with `role`.
  Map<String, String> appRole(String name, String role) {
    admin("auth/approle/role/" + name, role);
    String id = read("auth/approle/role/" + name + "/role-id").object("data").text("role_id");
    String secret =
        admin("auth/approle/role/" + name + "/secret-id", "{}").object("data").text("secret_id");
    var settings = base("kms");
    settings.put("auth", "approle");
    settings.put("roleId", id);
    settings.put("secretIdFile", file(secret).toString());
    return settings;
  }

  Map<String, String> appRole() {
    return appRole("kms", "{\"token_policies\":\"kms\"}");
  }

  Map<String, String> token(Path file) {
    var settings = base("kms");
    settings.put("auth", "token");
    settings.put("tokenFile", file.toString());
    return settings;
  }

  Map<String, String> base(String key) {
    var settings = new HashMap<String, String>();
    settings.put("address", vault.url().toString());
    settings.put("caFile", vault.caCertificate().orElseThrow().toString());
    settings.put("key", key);
    return settings;
  }

  KmsProvider open(Map<String, String> settings) {
    var provider = new VaultProviderFactory().create(new ProviderSettings(settings));
    opened.add(provider);
    return provider;
  }

  static Map<String, String> with(Map<String, String> settings, String name, String value) {
    var changed = new HashMap<>(settings);
    changed.put(name, value);
    return changed;
  }

  void closeProviders() {
    opened.forEach(KmsProvider::close);
    opened.clear();
  }

  @Override
  public void close() {
    closeProviders();
    vault.close();
  }
}
