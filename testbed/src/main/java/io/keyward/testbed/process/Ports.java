package io.keyward.testbed.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// Free ports on loopback. They lie below the range from which Linux takes ports for outgoing
/// connections, so that a server finds its port free again after a restart.
public final class Ports {
  private static final int FIRST = 20_000;
  private static final int END = 32_768;
  private static final int ATTEMPTS = 200;

  private Ports() {}

  /// Free at this moment; another program may still be faster.
  public static int free() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (isFree(port)) {
        return port;
      }
    }
    throw new TestbedException(
        "no free port between 20000 and 32767 on 127.0.0.1", "stop some servers and try again");
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
