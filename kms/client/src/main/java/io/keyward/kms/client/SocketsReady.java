package io.keyward.kms.client;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;

/// The startup probe of a container with plugins: exits with 0 if something accepts connections on
/// every socket that is named, otherwise with 1.
///
/// The kubelet starts it again and again until it succeeds, and the API server of the pod waits. So
/// it uses few classes of the JDK, none of Keyward, and neither lambdas nor concatenations, which
/// make classes when they run.
public final class SocketsReady {
  private SocketsReady() {}

  /// Connects to each socket.
  ///
  /// @param paths of the sockets
  public static void main(String[] paths) {
    int exit = 0;
    for (String path : paths) {
      if (!accepts(path)) {
        System.err.print("no plugin accepts connections on ");
        System.err.println(path);
        exit = 1;
      }
    }
    // Not System.exit: there is nothing to shut down.
    Runtime.getRuntime().halt(exit);
  }

  private static boolean accepts(String path) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException | IllegalArgumentException _) {
      return false;
    }
  }
}
