package io.keyward.kms.plugin.isolated;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.function.Supplier;

/// A provider from another class loader. SDKs look for their parts through the thread's context
/// class loader, so every call is made with the provider's own.
final class IsolatedProvider implements KmsProvider {
  private final KmsProvider provider;
  private final ClassLoader loader;

  IsolatedProvider(KmsProvider provider, ClassLoader loader) {
    this.provider = provider;
    this.loader = loader;
  }

  static <T> T within(ClassLoader loader, Supplier<T> action) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return action.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    return within(loader, () -> provider.wrap(dek, timeout));
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    return within(loader, () -> provider.unwrap(wrapped, timeout));
  }

  @Override
  public boolean blocks() {
    return provider.blocks();
  }

  @Override
  public KekReport report(Duration timeout) {
    return within(loader, () -> provider.report(timeout));
  }

  @Override
  public void close() {
    within(
        loader,
        () -> {
          provider.close();
          return true;
        });
  }
}
