package io.keyward.kms.client;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.EncryptRequest;
import io.keyward.kms.proto.v2.EncryptResponse;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc.KeyManagementServiceBlockingStub;
import io.keyward.kms.proto.v2.StatusRequest;
import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A KMS v2 client over one connection, as an API server has it. Thread-safe; calls block.
public final class KmsV2Client implements AutoCloseable {
  private static final int MAX_ANSWER = 64 * 1024;

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  public KmsV2Client(Endpoint endpoint) {
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(endpoint.socket()))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(loop)
            .withOption(io.netty.channel.ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority("localhost")
            .usePlaintext()
            .directExecutor()
            .maxInboundMessageSize(MAX_ANSWER)
            .build();
  }

  public PluginStatus status(Duration timeout) {
    return call(() -> {
      var answer = stub(timeout).status(StatusRequest.getDefaultInstance());
      return new PluginStatus(answer.getVersion(), answer.getHealthz(), answer.getKeyId());
    });
  }

  /// Asks the plugin to wrap `plaintext`.
  ///
  /// @throws IllegalArgumentException if the answer breaks a limit of the protocol
  public Wrapped encrypt(Secret plaintext, String uid, Duration timeout) {
    return call(() -> {
      var request =
          EncryptRequest.newBuilder()
              .setPlaintext(ByteString.copyFrom(plaintext.reveal()))
              .setUid(uid)
              .build();
      return wrapped(stub(timeout).encrypt(request));
    });
  }

  public Secret decrypt(Wrapped wrapped, String uid, Duration timeout) {
    return call(() -> {
      var request =
          DecryptRequest.newBuilder()
              .setCiphertext(ByteString.copyFrom(wrapped.ciphertext().toArray()))
              .setKeyId(wrapped.kek().value())
              .setUid(uid);
      wrapped
          .annotations()
          .entries()
          .forEach(
              (name, value) -> request.putAnnotations(name, ByteString.copyFrom(value.toArray())));
      return new Secret(stub(timeout).decrypt(request.build()).getPlaintext().toByteArray());
    });
  }

  private static Wrapped wrapped(EncryptResponse answer) {
    var annotations = new HashMap<String, Bytes>();
    answer
        .getAnnotationsMap()
        .forEach((name, value) -> annotations.put(name, Bytes.copyOf(value.toByteArray())));
    return new Wrapped(
        new KekId(answer.getKeyId()),
        Bytes.copyOf(answer.getCiphertext().toByteArray()),
        new Annotations(annotations));
  }

  private KeyManagementServiceBlockingStub stub(Duration timeout) {
    return KeyManagementServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static <T> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw new PluginCallException(e.getStatus(), e);
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    var _ = loop.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
  }
}
