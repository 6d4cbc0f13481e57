package io.keyward.kms.plugin;

import io.keyward.kms.plugin.isolated.IsolatedFactory;
import io.keyward.kms.spi.KmsProviderFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/// The providers there are, by name: those on the class path, and those with many jars in
/// directories of the distribution, `lib/providers/<name>`. Of the latter nothing but the name is
/// known until one is asked for its settings.
public final class Providers {
  private Providers() {}

  /// Those of this installation. The launcher says where it is.
  public static Map<String, KmsProviderFactory> load() {
    return load(
        Optional.ofNullable(System.getProperty("keyward.home"))
            .map(home -> Path.of(home, "lib", "providers")));
  }

  static Map<String, KmsProviderFactory> load(Optional<Path> directory) {
    var found = new TreeMap<String, KmsProviderFactory>();
    directory
        .map(IsolatedFactory::in)
        .ifPresent(all -> all.forEach(factory -> found.put(factory.name(), factory)));
    for (KmsProviderFactory factory : ServiceLoader.load(KmsProviderFactory.class)) {
      found.put(factory.name(), factory);
    }
    return found;
  }
}
