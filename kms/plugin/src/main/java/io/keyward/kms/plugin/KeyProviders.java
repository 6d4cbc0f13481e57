package io.keyward.kms.plugin;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigProblem;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.SettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Creates the providers of a configuration. The start and `--check` both come here, so that they
/// cannot disagree about a configuration.
public final class KeyProviders {
  private KeyProviders() {}

  /// Creates every provider and closes it again, without a call to any KMS.
  ///
  /// @throws ConfigException with every problem found
  public static void check(PluginConfig config, Map<String, KmsProviderFactory> factories) {
    create(config, factories).forEach(KmsProvider::close);
  }

  /// In the order of the keys; all of them or none.
  static List<KmsProvider> create(PluginConfig config, Map<String, KmsProviderFactory> factories) {
    var providers = new ArrayList<KmsProvider>();
    var problems = new ArrayList<ConfigProblem>();
    for (KeyConfig key : config.keys()) {
      try {
        KmsProviderFactory factory = factories.get(key.provider());
        if (factory == null) {
          throw new SettingsException("provider", "is unknown: " + key.provider());
        }
        KmsProvider provider = factory.create(key.settings());
        providers.add(provider);
        if (!provider.blocks() && !key.options().backend().equals(BackendLimit.NONE)) {
          throw new SettingsException(
              "maxBackendRate", "and 'maxBackendCalls' are for a KMS; this provider calls none");
        }
      } catch (SettingsException e) {
        problems.add(
            new ConfigProblem(
                "key " + key.name(), "setting '" + e.setting() + "': " + e.problem()));
      }
    }
    if (!problems.isEmpty()) {
      providers.forEach(KmsProvider::close);
      throw new ConfigException(problems);
    }
    return providers;
  }
}
