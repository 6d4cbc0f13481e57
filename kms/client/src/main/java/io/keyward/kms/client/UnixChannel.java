package io.keyward.kms.client;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// One connection to one plugin, as an API server has it.
final class UnixChannel implements AutoCloseable {
  /// DEKs and seeds are small.
  private static final int MAX_ANSWER = 64 * 1024;

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  UnixChannel(PluginEndpoint endpoint) {
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(endpoint.socket()))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(loop)
            // A unix socket has no such option, and netty warns.
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority("localhost")
            .usePlaintext()
            .directExecutor()
            .maxInboundMessageSize(MAX_ANSWER)
            .build();
  }

  Channel channel() {
    return channel;
  }

  /// Makes a call, and turns what gRPC says of a failure into our own exception.
  static <T> T call(Supplier<T> call) {
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
