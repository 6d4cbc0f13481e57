package io.keyward.kms.fakes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A fake with one key, and what a plugin needs to use it. For tests of the distribution, and as a
/// process of its own for benchmarks.
///
/// @param settings of the provider
/// @param secrets what no log, metric, error or process list may ever show
/// @param server ends the fake
public record FakeBackend(Map<String, String> settings, List<String> secrets, Server server)
    implements AutoCloseable {
  /// What can be ended.
  public interface Server {
    void close();
  }

  public static FakeBackend azure(Path directory) throws IOException {
    String secret = "azure-" + UUID.randomUUID();
    String vault = "https://fakevault.vault.azure.net";
    FakeKeyVault fake = FakeKeyVault.start(directory, vault);
    fake.createKey("kek");
    fake.clientSecret(secret);
    String address = fake.address().toString();
    return new FakeBackend(
        Map.of(
            "vaultUrl",
            vault,
            "key",
            "kek",
            "authentication",
            "clientSecret",
            "tenantId",
            "fake-tenant",
            "clientId",
            "fake-client",
            "clientSecretFile",
            Files.writeString(directory.resolve("secret"), secret).toString(),
            "authorityHost",
            address,
            "endpoint",
            address,
            "caFile",
            fake.ca().toString()),
        List.of(secret, "fake-entra-"),
        fake::close);
  }

  public static FakeBackend ibm(Path directory) throws IOException {
    String apiKey = "ibm-" + UUID.randomUUID();
    String instance = UUID.randomUUID().toString();
    FakeKeyProtect fake = FakeKeyProtect.start(directory);
    fake.apiKey(apiKey);
    String address = fake.address().toString();
    return new FakeBackend(
        Map.of(
            "url",
            address,
            "iamUrl",
            address,
            "instanceId",
            instance,
            "keyId",
            fake.createKey(instance),
            "apiKeyFile",
            Files.writeString(directory.resolve("api-key"), apiKey).toString(),
            "caFile",
            fake.ca().toString()),
        List.of(apiKey, "fake-iam-"),
        fake::close);
  }

  @Override
  public void close() {
    server.close();
  }

  /// Runs the fake of a provider until the process is killed: `azure DIRECTORY` or `ibm DIRECTORY`.
  /// The settings appear in `DIRECTORY/settings.json` when it is ready.
  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Path.of(args[1]);
    FakeBackend fake = args[0].equals("azure") ? azure(directory) : ibm(directory);
    tell(directory, fake.settings());
    Thread.currentThread().join();
  }

  /// JSON is also YAML: a plugin's configuration may contain it as it is.
  public static void tell(Path directory, Map<String, String> settings) {
    try {
      Path file = directory.resolve("settings.json");
      Path part = directory.resolve("settings.part");
      Files.write(part, FakeHttps.JSON.writeValueAsBytes(settings));
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
