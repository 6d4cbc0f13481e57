package io.keyward.kms.plugin;

import com.google.protobuf.ByteString;
import io.keyward.kms.plugin.call.CachedDecrypt;
import io.keyward.kms.plugin.config.SocketAccess;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.report.PluginMetrics;
import io.keyward.kms.plugin.service.KeyServices;
import io.keyward.kms.plugin.socket.SocketProblem;
import io.keyward.kms.plugin.socket.SocketServer;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.EncryptRequest;
import io.keyward.kms.proto.v2.EncryptResponse;
import io.keyward.kms.spi.KmsProvider;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Serves some calls to itself before any socket opens, so that the first call of an API server
/// does not pay for class loading and cold code. It uses a server, a watch and metrics of its own,
/// so nothing of it shows; and never a KMS: a provider that may wait is not called, but for the run
/// that makes the AOT cache.
final class WarmUp {
  private static final Logger LOG = System.getLogger(WarmUp.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// Few, since every start pays for them. They suffice where the AOT cache knows what to compile.
  private static final int CALLS = 100;

  /// The run that makes the AOT cache sets this much higher, and then all providers are called:
  /// what it compiles, later starts compile at once.
  private static final String CALLS_PROPERTY = "keyward.warmUpCalls";

  private WarmUp() {}

  static void run(
      List<KmsProvider> providers, EventLoopGroup loop, ScheduledExecutorService timer) {
    if (providers.isEmpty()) {
      return; // a sidecar that only monitors
    }
    try {
      Path directory = Files.createTempDirectory("kw"); // mode 0700
      try {
        boolean training = Integer.getInteger(CALLS_PROPERTY) != null;
        for (KmsProvider provider : providers.subList(0, training ? providers.size() : 1)) {
          serve(directory.resolve("w"), provider, training || !provider.blocks(), loop, timer);
        }
      } finally {
        Files.deleteIfExists(directory.resolve(".w.lock"));
        Files.deleteIfExists(directory);
      }
    } catch (ClosedChannelException e) {
      // A busy machine is not a fault, and the keys are served all the same.
      LOG.log(Level.INFO, "warm-up stopped at its time limit; the first calls may be slower");
    } catch (IOException | SocketProblem e) {
      // Only speed is lost. What is really wrong shows when the keys are opened.
      LOG.log(Level.WARNING, "warm-up was cut short: {0}", e.getClass().getSimpleName());
    }
  }

  private static void serve(
      Path socket,
      KmsProvider provider,
      boolean roundTrips,
      EventLoopGroup loop,
      ScheduledExecutorService timer)
      throws IOException {
    var watch = new KeyWatch("warm-up", Clock.systemUTC());
    var observer = new PluginMetrics(Clock.systemUTC()).key("warm-up", watch);
    var services =
        KeyServices.of(
            provider,
            Optional.empty(),
            watch,
            PATIENCE,
            timer,
            observer,
            false,
            CachedDecrypt.NOTHING);
    try (var server = new SocketServer(socket, SocketAccess.OWNER_ONLY, loop, services);
        var caller = new WarmUpCaller(server.birthplace())) {
      int calls = Integer.getInteger(CALLS_PROPERTY, CALLS);
      long patience = PATIENCE.toMillis() * Math.max(1, calls / CALLS);
      var limit = timer.schedule(() -> end(caller), patience, TimeUnit.MILLISECONDS);
      for (int i = 0; i < calls; i++) {
        caller.call("Status", new byte[0]);
        if (roundTrips) {
          roundTrip(caller);
        }
      }
      limit.cancel(false);
    }
  }

  private static void roundTrip(WarmUpCaller caller) throws IOException {
    var request =
        EncryptRequest.newBuilder()
            .setPlaintext(ByteString.copyFrom(new byte[32]))
            .setUid("warm-up")
            .build();
    var wrapped = EncryptResponse.parseFrom(caller.call("Encrypt", request.toByteArray()));
    var back =
        DecryptRequest.newBuilder()
            .setCiphertext(wrapped.getCiphertext())
            .setKeyId(wrapped.getKeyId())
            .setUid("warm-up")
            .putAllAnnotations(wrapped.getAnnotationsMap())
            .build();
    caller.call("Decrypt", back.toByteArray());
  }

  /// Wakes a caller that waits too long. It then finds its connection closed.
  private static void end(WarmUpCaller caller) {
    try {
      caller.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "warm-up connection did not close", e);
    }
  }
}
