package io.keyward.kms.plugin.isolated;

import io.keyward.kms.spi.KmsProvider;

/// What an isolated provider sees of the plugin: the JDK and the SPI, and nothing else. So an SDK
/// may bring its own gRPC or JSON library, in any version.
final class SpiOnly extends ClassLoader {
  private static final String SPI = KmsProvider.class.getPackageName() + ".";

  SpiOnly() {
    super("keyward-spi", getPlatformClassLoader());
  }

  /// Asked for what the JDK does not have.
  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (name.startsWith(SPI)) {
      return Class.forName(name, false, KmsProvider.class.getClassLoader());
    }
    throw new ClassNotFoundException(name);
  }
}
