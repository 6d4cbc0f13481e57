package io.keyward.kms.plugin.service;

import io.grpc.BindableService;
import io.keyward.kms.plugin.call.CachedDecrypt;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.spi.KmsProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/// The gRPC services of one key.
public final class KeyServices {
  private KeyServices() {}

  /// KMS v2, and v1beta1 where it is asked for.
  ///
  /// @param threads where the provider's calls run, if they hold their thread
  /// @param memory what can be opened without asking the provider
  public static List<BindableService> of(
      KmsProvider provider,
      Optional<Executor> threads,
      KeyWatch watch,
      Duration budget,
      ScheduledExecutorService timer,
      CallObserver observer,
      boolean kmsV1,
      CachedDecrypt memory) {
    var calls = new CallRunner(provider.blocks(), threads, budget, timer, observer);
    var v2 = new KmsV2Service(provider, watch, calls, observer, memory);
    return kmsV1 ? List.of(v2, new KmsV1Service(provider, calls)) : List.of(v2);
  }
}
