package io.keyward.kms.plugin.isolated;

import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.SettingsException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The provider whose jars lie in one directory. The directory's name is the provider's name, so
/// that it is known without loading anything of it.
public final class IsolatedFactory implements KmsProviderFactory {
  private final Path directory;
  private @Nullable KmsProviderFactory loaded;

  IsolatedFactory(Path directory) {
    this.directory = directory;
  }

  /// The providers in `directory`, by name; none where it does not exist.
  public static List<IsolatedFactory> in(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    var found = new TreeMap<String, IsolatedFactory>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, Files::isDirectory)) {
      entries.forEach(
          entry -> found.put(entry.getFileName().toString(), new IsolatedFactory(entry)));
    } catch (IOException e) {
      throw new SettingsException("provider", "cannot be looked for in " + directory);
    }
    return List.copyOf(found.values());
  }

  @Override
  public String name() {
    return directory.getFileName().toString();
  }

  @Override
  public List<Setting> settings() {
    return factory().settings();
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    KmsProviderFactory factory = factory();
    ClassLoader loader = factory.getClass().getClassLoader();
    return new IsolatedProvider(
        IsolatedProvider.within(loader, () -> factory.create(settings)), loader);
  }

  private synchronized KmsProviderFactory factory() {
    if (loaded == null) {
      loaded = load();
    }
    return loaded;
  }

  private KmsProviderFactory load() {
    // Never closed: a provider lives as long as the process.
    var loader = new URLClassLoader("keyward-" + name(), jars(), new SpiOnly());
    Optional<KmsProviderFactory> factory;
    try {
      factory =
          IsolatedProvider.within(
              loader, () -> ServiceLoader.load(KmsProviderFactory.class, loader).findFirst());
    } catch (ServiceConfigurationError e) {
      throw broken("lacks a part of the provider");
    }
    return factory
        .filter(found -> found.name().equals(name()))
        .orElseThrow(() -> broken("holds no provider with its name"));
  }

  private URL[] jars() {
    var jars = new ArrayList<URL>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*.jar")) {
      for (Path jar : entries) {
        jars.add(jar.toUri().toURL());
      }
    } catch (MalformedURLException e) {
      throw new IllegalStateException("every path is a URL", e);
    } catch (IOException e) {
      throw broken("cannot be read");
    }
    return jars.toArray(URL[]::new);
  }

  private SettingsException broken(String how) {
    return new SettingsException(
        "provider", directory + " " + how + "; install the distribution again");
  }
}
