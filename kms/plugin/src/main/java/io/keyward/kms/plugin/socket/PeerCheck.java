package io.keyward.kms.plugin.socket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/// Lets in only processes of users that may connect. The mode of the socket says the same; this
/// holds also when somebody loosens the mode by hand.
final class PeerCheck extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = System.getLogger(PeerCheck.class.getName());

  private final Set<UserPrincipal> allowed;

  private PeerCheck(Set<UserPrincipal> allowed) {
    this.allowed = Set.copyOf(allowed);
  }

  /// A listening channel that checks who connects, before gRPC sees the connection.
  ///
  /// @param allowed empty where every user may connect
  static ServerChannel channel(Optional<Set<UserPrincipal>> allowed) {
    var channel = new NioServerDomainSocketChannel();
    allowed.ifPresent(users -> channel.pipeline().addFirst(new PeerCheck(users)));
    return channel;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (accepted instanceof NioDomainSocketChannel peer && !isAllowed(peer)) {
      peer.unsafe().closeForcibly();
    } else {
      context.fireChannelRead(accepted);
    }
  }

  private boolean isAllowed(NioDomainSocketChannel peer) {
    UnixDomainPrincipal who =
        peer.config().getOption(NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED));
    if (who == null || allowed.contains(who.user())) {
      return true; // null: this platform does not tell
    }
    LOG.log(Level.WARNING, "refused a connection from user {0}", who.user().getName());
    return false;
  }
}
