package io.keyward.kms.vault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.fakes.FakeMood;
import io.keyward.kms.fakes.FakeProxy;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.tck.RemoteKmsContract;
import io.keyward.kms.tck.Trouble;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.Vault;
import io.keyward.testbed.binary.ServerBinaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A real Vault behind a proxy that gives it TLS and misbehaves: every kind of trouble in the
/// network.
final class VaultContractIT extends RemoteKmsContract {
  @TempDir private static Path directory;
  private static Vault vault;
  private static FakeProxy proxy;
  private static int keys;

  private final List<KmsProvider> opened = new ArrayList<>();
  private String key = "";
  private KmsProvider provider;

  @BeforeAll
  static void start() throws IOException {
    vault = Vault.start(directory.resolve("vault"), ServerBinaries.ofThisMachine(), false);
    proxy = FakeProxy.start(directory, vault.url());
    admin("sys/mounts/transit", "{\"type\":\"transit\"}");
    Files.writeString(directory.resolve("token"), vault.rootToken());
  }

  @AfterAll
  static void stop() {
    proxy.close();
    vault.close();
  }

  private static void admin(String path, String json) {
    try (ApiClient client = vault.client()) {
      assertThat(client.post("/v1/" + path, json).isOk()).as(path).isTrue();
    }
  }

  @BeforeEach
  void createKey() {
    key = newKey();
    provider = opened(Map.of("key", key));
  }

  @AfterEach
  void close() {
    proxy.mood(FakeMood.GOOD);
    opened.forEach(KmsProvider::close);
  }

  private static String newKey() {
    String name = "kms-" + keys++;
    admin("transit/keys/" + name, "{}");
    return name;
  }

  private KmsProvider opened(Map<String, String> settings) {
    var all = new HashMap<>(settings);
    all.putIfAbsent("address", proxy.address().toString());
    all.put("caFile", proxy.ca().toString());
    all.put("auth", "token");
    all.put("tokenFile", directory.resolve("token").toString());
    KmsProvider made = new VaultProviderFactory().create(new ProviderSettings(all));
    opened.add(made);
    return made;
  }

  @Override
  protected KmsProvider provider() {
    return provider;
  }

  @Override
  protected KmsProvider reopened() {
    return opened(Map.of("key", key));
  }

  @Override
  protected KmsProvider otherKey() {
    return opened(Map.of("key", newKey()));
  }

  @Override
  protected void rotate() {
    admin("transit/keys/" + key + "/rotate", "{}");
  }

  @Override
  protected void misbehave(Trouble trouble) {
    proxy.mood(FakeMood.of(trouble));
  }

  @Override
  protected int connections() {
    return proxy.connections();
  }

  @Override
  protected KmsProvider at(String host, int port) {
    return opened(Map.of("key", key, "address", "https://" + host + ":" + port));
  }
}
