package io.keyward.kms.vault;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Looks a name up in bounded time, which the JDK cannot do by itself. The HTTP client then finds
/// it in the JDK's memory.
final class HostName {
  private HostName() {}

  static void lookUp(String host, Deadline deadline) throws InterruptedException {
    if (host.startsWith("[") || host.matches("[0-9.]+")) {
      return;
    }
    var found = new CompletableFuture<Boolean>();
    Thread.ofVirtual().name("name-of-vault").start(() -> found.complete(isKnown(host)));
    try {
      if (found.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (TimeoutException e) {
      throw new KmsException(Kind.TIMEOUT, "the name of the Vault server was not found in time", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot fail", e);
    }
    throw new KmsException(
        Kind.UNAVAILABLE,
        "the name of the Vault server cannot be found",
        Map.of("host", host, KmsException.HINT, "check the setting address and the DNS"));
  }

  private static boolean isKnown(String host) {
    try {
      return InetAddress.getAllByName(host).length > 0;
    } catch (UnknownHostException _) {
      return false;
    }
  }
}
