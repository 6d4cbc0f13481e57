package io.keyward.node.agent;

import io.keyward.kms.local.KeyName;
import io.keyward.kms.local.KeyStoreFile;
import io.keyward.kms.local.LocalProviderFactory;
import io.keyward.kms.local.Password;
import io.keyward.kms.plugin.Plugin;
import io.keyward.kms.plugin.config.ConfigReader;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.node.plugin.PluginAgent;
import io.keyward.node.plugin.PluginObserver;
import io.keyward.node.plugin.PluginTiming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// A node with an agent that tries plugins, and a root directory with their sockets.
public final class TriedNode implements AutoCloseable {
  static final String ENDPOINT = "unix:///run/k.sock";
  private static final Map<String, KmsProviderFactory> PROVIDERS =
      Map.of("local", new LocalProviderFactory());

  private final Path root;
  private final Supplier<PluginAgent> tries;
  private Thread agent;
  private final List<Plugin> plugins = new ArrayList<>();

  TriedNode(Api cluster, Component component, String name, Path root) throws IOException {
    this.root = root;
    Files.createDirectories(root.resolve("run"));
    tries =
        () ->
            new PluginAgent(
                cluster,
                component,
                name,
                root,
                new PluginTiming(Duration.ofSeconds(1), Duration.ofSeconds(1)),
                PluginObserver.NOBODY);
    agent = started();
  }

  private Thread started() {
    PluginAgent fresh = tries.get();
    return Thread.ofVirtual()
        .start(() -> {
          try {
            fresh.run();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /// Another agent in place of this one, which remembers nothing.
  void restartAgent() throws InterruptedException {
    agent.interrupt();
    agent.join();
    agent = started();
  }

  /// Keys of their own, for one node or for several.
  static Path keys(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path password = directory.resolve("password");
    Files.writeString(password, "correct horse battery staple\n");
    new KeyStoreFile(directory.resolve("keys.p12"), Password.read(password))
        .create(new KeyName("default"));
    return directory;
  }

  /// The plugin at the endpoint, with these keys.
  void startPlugin(Path keys) {
    String config =
        """
        keys:
          - name: default
            socket: %1$s/run/k.sock
            provider: local
            local:
              keystore: %2$s/keys.p12
              passwordFile: %2$s/password
        """
            .formatted(root, keys);
    plugins.add(Plugin.start(new ConfigReader(PROVIDERS).read("plugin.yaml", config), PROVIDERS));
  }

  @Override
  public void close() {
    agent.interrupt();
    plugins.forEach(Plugin::close);
  }
}
