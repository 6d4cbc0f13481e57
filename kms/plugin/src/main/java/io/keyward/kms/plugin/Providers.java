package io.keyward.kms.plugin;

import io.keyward.kms.spi.KmsProviderFactory;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/// The providers that are on the class path, by name.
public final class Providers {
  private Providers() {}

  public static Map<String, KmsProviderFactory> load() {
    var found = new TreeMap<String, KmsProviderFactory>();
    for (KmsProviderFactory factory : ServiceLoader.load(KmsProviderFactory.class)) {
      found.put(factory.name(), factory);
    }
    return found;
  }
}
