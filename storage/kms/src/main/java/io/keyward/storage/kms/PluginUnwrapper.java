package io.keyward.storage.kms;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.StoredDekClient;
import io.keyward.kms.spi.Secret;
import io.keyward.storage.config.Provider.Version;
import io.keyward.storage.read.Unwrapper;
import io.keyward.storage.read.WrappedDek;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Asks the plugins behind unix sockets, by the names that the configuration gives them. Speaks KMS
/// v2 and v1beta1. Thread-safe; calls block.
public final class PluginUnwrapper implements Unwrapper, AutoCloseable {
  private final Map<String, StoredDekClient> plugins = new HashMap<>();

  /// Sockets by provider name.
  public PluginUnwrapper(Map<String, Path> sockets) {
    sockets.forEach(
        (name, socket) -> plugins.put(name, new StoredDekClient(new PluginEndpoint(socket))));
  }

  @Override
  public Unwrapped unwrap(WrappedDek wrapped) {
    StoredDekClient plugin = plugins.get(wrapped.provider());
    if (plugin == null) {
      return new Unwrapped.Failed("no plugin was given for this provider");
    }
    try {
      Secret dek =
          wrapped.version() == Version.V2
              ? plugin.openV2(wrapped.ciphertext().toArray(), wrapped.keyId(), annotations(wrapped))
              : plugin.openV1(wrapped.ciphertext().toArray());
      return new Unwrapped.Dek(ByteView.wrap(dek.reveal()));
    } catch (PluginCallException e) {
      return new Unwrapped.Failed(words(e));
    }
  }

  private static Map<String, byte[]> annotations(WrappedDek wrapped) {
    var values = new HashMap<String, byte[]>();
    wrapped.annotations().forEach((name, value) -> values.put(name, value.toArray()));
    return values;
  }

  @Override
  public Optional<String> currentKeyId(String provider) {
    StoredDekClient plugin = plugins.get(provider);
    if (plugin == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(plugin.currentKeyId()).filter(keyId -> !keyId.isEmpty());
    } catch (PluginCallException e) {
      // A v1 plugin has no such call. Where the plugin is gone, unwrapping says so.
      return Optional.empty();
    }
  }

  private static String words(PluginCallException failure) {
    return failure.code() + (failure.description().isEmpty() ? "" : ": " + failure.description());
  }

  @Override
  public void close() {
    plugins.values().forEach(StoredDekClient::close);
  }
}
