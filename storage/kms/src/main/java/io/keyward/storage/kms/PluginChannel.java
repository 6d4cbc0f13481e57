package io.keyward.storage.kms;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// One connection to one plugin.
final class PluginChannel implements AutoCloseable {
  /// DEKs and seeds are small.
  private static final int MAX_ANSWER = 64 * 1024;

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  PluginChannel(Path socket) {
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(loop)
            // A unix socket has no such option, and netty warns.
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority("localhost")
            .usePlaintext()
            .maxInboundMessageSize(MAX_ANSWER)
            .build();
  }

  Channel channel() {
    return channel;
  }

  @Override
  public void close() {
    channel.shutdownNow();
    var _ = loop.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
  }
}
