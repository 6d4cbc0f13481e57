package io.keyward.kms.plugin.isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigReader;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// With two providers made and compiled here, which bring different classes of one name.
final class IsolatedFactoryTest {
  @TempDir private static Path directory;

  @BeforeAll
  static void makeProviders() throws IOException {
    ProviderJar.write(providers(), "red");
    ProviderJar.write(providers(), "blue");
  }

  @BeforeEach
  void forget() {
    System.clearProperty("keyward.test.loaded.red");
    System.clearProperty("keyward.test.loaded.blue");
  }

  private static Path providers() {
    return directory.resolve("providers");
  }

  private static Map<String, KmsProviderFactory> found() {
    return IsolatedFactory.in(providers()).stream()
        .collect(Collectors.toMap(KmsProviderFactory::name, Function.identity()));
  }

  private static KmsProviderFactory named(String name) {
    return Optional.ofNullable(found().get(name)).orElseThrow();
  }

  private static String words(KmsProviderFactory factory) {
    KmsProvider provider = factory.create(new ProviderSettings(Map.of()));
    return catchThrowableOfType(
            KmsException.class, () -> provider.wrap(new Secret(new byte[1]), Duration.ofSeconds(1)))
        .describe();
  }

  @Test
  void aDirectoryIsKnownByItsNameWithoutLoadingAnything() {
    assertThat(found().keySet()).containsExactlyInAnyOrder("red", "blue");
    assertThat(ProviderJar.isLoaded("red")).isFalse();
    var e =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                new ConfigReader(found())
                    .read("f", "keys: [{name: a, socket: /a, provider: green0}]"));
    assertThat(e).hasMessageContaining("known are blue, red");
    assertThat(ProviderJar.isLoaded("red")).isFalse();
    assertThat(ProviderJar.isLoaded("blue")).isFalse();
  }

  @Test
  void classesOfOneProviderAreNotLoadedForAnother() {
    assertThat(words(named("red"))).startsWith("red");
    assertThat(ProviderJar.isLoaded("red")).isTrue();
    assertThat(ProviderJar.isLoaded("blue")).isFalse();
  }

  @Test
  void twoProvidersMayBringDifferentClassesOfOneName() {
    assertThat(words(named("red"))).startsWith("red, with keyward-red");
    assertThat(words(named("blue"))).startsWith("blue, with keyward-blue");
    assertThat(named("red").settings()).extracting(Setting::name).containsExactly("redKey");
  }

  @Test
  void aProviderSeesTheSpiAndNothingElseOfThePlugin() {
    assertThat(words(named("red"))).endsWith("grpc false, plugin false");
  }

  @Test
  void callsLeaveTheContextClassLoaderAsItWas() {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    words(named("red"));
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
  }

  @Test
  void aDirectoryWithoutItsProviderIsRefusedWithARemedy() throws IOException {
    Path broken = Files.createDirectories(directory.resolve("broken"));
    Files.createDirectory(broken.resolve("empty"));
    ProviderJar.write(broken, "red");
    Files.move(broken.resolve("red"), broken.resolve("renamed"));
    List<IsolatedFactory> found = IsolatedFactory.in(broken);
    assertThat(found).extracting(KmsProviderFactory::name).containsExactly("empty", "renamed");
    for (KmsProviderFactory factory : found) {
      assertThatExceptionOfType(SettingsException.class)
          .isThrownBy(factory::settings)
          .withMessageContaining("install the distribution again");
    }
    var e =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                new ConfigReader(Map.of("empty", found.getFirst()))
                    .read("f", "keys: [{name: a, socket: /a, provider: empty}]"));
    assertThat(e).hasMessageContaining("provider 'empty' cannot be loaded");
  }

  @Test
  void noDirectoryMeansNoSuchProviders() {
    assertThat(IsolatedFactory.in(directory.resolve("nothing"))).isEmpty();
  }
}
