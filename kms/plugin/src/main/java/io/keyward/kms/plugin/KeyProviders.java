package io.keyward.kms.plugin;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigProblem;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.config.Sidecar;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.SettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Creates the providers of a configuration. The start and `--check` both come here, so that they
/// cannot disagree about a configuration.
public final class KeyProviders {
  private KeyProviders() {}

  /// A key and its provider.
  record Served(KeyConfig key, KmsProvider provider) {}

  /// @param leftOut keys without a provider, by name, with the reason
  record Created(List<Served> served, Map<String, String> leftOut) {
    List<KmsProvider> providers() {
      return served.stream().map(Served::provider).toList();
    }
  }

  /// Creates every provider and closes it again, without a call to any KMS.
  ///
  /// @return keys that the plugin would leave out, by name, with the reason
  /// @throws ConfigException with every problem found, if the plugin would not start
  public static Map<String, String> check(
      PluginConfig config, Map<String, KmsProviderFactory> factories) {
    Created created = create(config, factories);
    created.providers().forEach(KmsProvider::close);
    return created.leftOut();
  }

  /// In the order of the keys. All of them or none, but for a sidecar: that one serves the others,
  /// and only monitors if there are no others.
  ///
  /// @throws ConfigException with every problem found, if there is nothing to do
  static Created create(PluginConfig config, Map<String, KmsProviderFactory> factories) {
    var served = new ArrayList<Served>();
    var leftOut = new TreeMap<>(config.sidecar().map(Sidecar::leftOut).orElse(Map.of()));
    for (KeyConfig key : config.keys()) {
      try {
        served.add(new Served(key, create(key, factories)));
      } catch (SettingsException e) {
        leftOut.put(key.name(), "setting '" + e.setting() + "': " + e.problem());
      }
    }
    boolean mayGoOn =
        config
            .sidecar()
            .map(pod -> !served.isEmpty() || pod.monitor().isPresent())
            .orElse(leftOut.isEmpty());
    if (!mayGoOn) {
      served.forEach(one -> one.provider().close());
      throw new ConfigException(problems(leftOut));
    }
    return new Created(List.copyOf(served), leftOut);
  }

  private static KmsProvider create(KeyConfig key, Map<String, KmsProviderFactory> factories) {
    KmsProviderFactory factory = factories.get(key.provider());
    if (factory == null) {
      throw new SettingsException("provider", "is unknown: " + key.provider());
    }
    KmsProvider provider = factory.create(key.settings());
    if (!provider.blocks() && !key.options().backend().equals(BackendLimit.NONE)) {
      provider.close();
      throw new SettingsException(
          "maxBackendRate", "and 'maxBackendCalls' are for a KMS; this provider calls none");
    }
    return provider;
  }

  private static List<ConfigProblem> problems(Map<String, String> leftOut) {
    return leftOut.isEmpty()
        ? List.of(new ConfigProblem("the revision", "has no KMS key that this plugin serves"))
        : leftOut.entrySet().stream()
            .map(one -> new ConfigProblem("key " + one.getKey(), one.getValue()))
            .toList();
  }
}
