package io.keyward.storage.kms;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.keyward.etcd.bytes.Bytes;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc;
import io.keyward.kms.proto.v2.StatusRequest;
import io.keyward.storage.config.Provider.Version;
import io.keyward.storage.read.Unwrapper;
import io.keyward.storage.read.WrappedDek;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// Asks the plugins behind unix sockets, by the names that the configuration gives them. Speaks KMS
/// v2 and v1beta1. Thread-safe; calls block.
public final class PluginUnwrapper implements Unwrapper, AutoCloseable {
  private static final int TIMEOUT_SECONDS = 10;

  private final Map<String, PluginChannel> plugins = new HashMap<>();

  /// Sockets by provider name.
  public PluginUnwrapper(Map<String, Path> sockets) {
    sockets.forEach((name, socket) -> plugins.put(name, new PluginChannel(socket)));
  }

  @Override
  public Unwrapped unwrap(WrappedDek wrapped) {
    PluginChannel plugin = plugins.get(wrapped.provider());
    if (plugin == null) {
      return new Unwrapped.Failed("no plugin was given for this provider");
    }
    try {
      ByteString dek =
          wrapped.version() == Version.V2
              ? unwrapV2(plugin.channel(), wrapped)
              : unwrapV1(plugin.channel(), wrapped);
      return new Unwrapped.Dek(Bytes.wrap(dek.toByteArray()));
    } catch (StatusRuntimeException e) {
      return new Unwrapped.Failed(words(e));
    }
  }

  private static ByteString unwrapV2(Channel channel, WrappedDek wrapped) {
    var request =
        DecryptRequest.newBuilder()
            .setCiphertext(ByteString.copyFrom(wrapped.ciphertext().toBuffer()))
            .setKeyId(wrapped.keyId())
            .setUid(UUID.randomUUID().toString());
    wrapped
        .annotations()
        .forEach(
            (name, value) -> request.putAnnotations(name, ByteString.copyFrom(value.toBuffer())));
    return KeyManagementServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .decrypt(request.build())
        .getPlaintext();
  }

  private static ByteString unwrapV1(Channel channel, WrappedDek wrapped) {
    var request =
        io.keyward.kms.proto.v1beta1.DecryptRequest.newBuilder()
            .setVersion("v1beta1")
            .setCipher(ByteString.copyFrom(wrapped.ciphertext().toBuffer()))
            .build();
    return io.keyward.kms.proto.v1beta1.KeyManagementServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .decrypt(request)
        .getPlain();
  }

  @Override
  public Optional<String> currentKeyId(String provider) {
    PluginChannel plugin = plugins.get(provider);
    if (plugin == null) {
      return Optional.empty();
    }
    try {
      String keyId =
          KeyManagementServiceGrpc.newBlockingStub(plugin.channel())
              .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
              .status(StatusRequest.getDefaultInstance())
              .getKeyId();
      return keyId.isEmpty() ? Optional.empty() : Optional.of(keyId);
    } catch (StatusRuntimeException e) {
      // A v1 plugin has no such call. Where the plugin is gone, unwrapping says so.
      return Optional.empty();
    }
  }

  private static String words(StatusRuntimeException failure) {
    String description = failure.getStatus().getDescription();
    return failure.getStatus().getCode() + (description == null ? "" : ": " + description);
  }

  @Override
  public void close() {
    plugins.values().forEach(PluginChannel::close);
  }
}
