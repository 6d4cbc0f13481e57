package io.keyward.kms.plugin.socket;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.keyward.kms.plugin.config.SocketAccess;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A gRPC server on one unix socket.
public final class SocketServer implements AutoCloseable {
  /// A request is a DEK, a key id and annotations: below 34 KiB. Refused by the frame's length,
  /// before anything of that size is allocated.
  private static final int MAX_REQUEST = 48 * 1024;

  /// More calls of one API server than this wait in that API server, where each has its deadline,
  /// instead of being refused here.
  private static final int MAX_CALLS_OF_ONE_PEER = 512;

  private final SocketPlace place;
  private final Server server;

  /// Binds where only this user can connect; [#open] then shows the socket to the world.
  ///
  /// @throws SocketProblem with the remedy
  public SocketServer(
      Path socket, SocketAccess access, EventLoopGroup loop, List<BindableService> services) {
    place = SocketPlace.take(socket, access);
    Path born = place.birthplace();
    try {
      Optional<Set<UserPrincipal>> peers = SocketOwner.peers(place.privateDirectory(), access);
      var builder =
          NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(born))
              .channelFactory(() -> PeerCheck.channel(peers))
              .bossEventLoopGroup(loop)
              .workerEventLoopGroup(loop)
              .directExecutor()
              .withChildOption(ChannelOption.SO_KEEPALIVE, null)
              .maxConcurrentCallsPerConnection(MAX_CALLS_OF_ONE_PEER)
              .maxInboundMessageSize(MAX_REQUEST)
              .maxInboundMetadataSize(8 * 1024);
      services.forEach(builder::addService);
      server = builder.build().start();
    } catch (IOException e) {
      place.close();
      throw new SocketProblem(
          "cannot bind the socket " + socket + ": " + e.getMessage(),
          "check the owner and the mode of its directory");
    } catch (SocketProblem e) {
      place.close();
      throw e;
    }
  }

  /// Where the socket is reached before it is opened.
  public Path birthplace() {
    return place.birthplace();
  }

  public void open() {
    place.publish();
  }

  public boolean isServing() {
    return !server.isShutdown();
  }

  /// Refuses new calls and lets those in progress end.
  public void beginDrain() {
    server.shutdown();
  }

  /// Waits for the calls in progress, at most `limit`, and then ends them.
  public void endDrain(Duration limit) {
    try {
      if (!server.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        server.shutdownNow();
        server.awaitTermination(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    place.close();
  }
}
