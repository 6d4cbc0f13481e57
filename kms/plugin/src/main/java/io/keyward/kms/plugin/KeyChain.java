package io.keyward.kms.plugin;

import io.keyward.kms.plugin.call.BackendGate;
import io.keyward.kms.plugin.call.CachedDecrypt;
import io.keyward.kms.plugin.call.CachingProvider;
import io.keyward.kms.plugin.call.ForgettingProvider;
import io.keyward.kms.plugin.call.LimitedProvider;
import io.keyward.kms.plugin.call.RetryingProvider;
import io.keyward.kms.plugin.call.SecretMemory;
import io.keyward.kms.plugin.call.SharingProvider;
import io.keyward.kms.plugin.config.KeyOptions;
import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.health.Prober;
import io.keyward.kms.plugin.health.RoundTrip;
import io.keyward.kms.plugin.health.WatchedProvider;
import io.keyward.kms.plugin.localkek.LocalKekOpener;
import io.keyward.kms.plugin.localkek.LocalKekProvider;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProvider.BlockingCalls;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/// What stands between one key's requests and its KMS, in order from the request: decrypt cache,
/// local KEK, watch, forgetting, sharing, retries, limits. What is not turned on is not there.
///
/// @param provider answers requests
/// @param memory answers what needs no call
/// @param probe tries the key, past the requests that wait
/// @param cache the decrypt cache, for its metrics
record KeyChain(
    KmsProvider provider,
    CachedDecrypt memory,
    Prober.Probe probe,
    Optional<CachingProvider> cache) {
  /// How often what was remembered for too long is looked for.
  private static final Duration SWEEP = Duration.ofSeconds(10);

  static KeyChain of(
      KmsProvider raw, KeyOptions options, KeyWatch watch, ScheduledExecutorService timer) {
    UnaryOperator<KmsProvider> requests = UnaryOperator.identity();
    UnaryOperator<KmsProvider> probes = UnaryOperator.identity();
    if (!options.backend().equals(BackendLimit.NONE)) {
      var gate = new BackendGate(options.backend());
      requests = next -> new LimitedProvider(next, gate, false);
      probes = next -> new LimitedProvider(next, gate, true);
    }
    // Probes keep to their time by themselves; requests are watched by whoever makes them.
    KmsProvider calls = raw.blockingCalls().map(BlockingCalls::calls).orElse(raw);
    var memories = new ArrayList<Runnable>();
    Runnable forget = () -> memories.forEach(Runnable::run);
    KmsProvider patient = new ForgettingProvider(patient(calls, requests), forget);
    KmsProvider probing = new ForgettingProvider(patient(raw, probes), forget);
    var opener = new LocalKekOpener(new WatchedProvider(patient, watch), System::nanoTime);
    memories.add(opener::forget);
    KmsProvider provider = opener;
    Prober.Probe probe = new RoundTrip(new WatchedProvider(probing, watch), watch);
    if (options.localKek().isPresent()) {
      var limits = options.localKek().get();
      var local = new LocalKekProvider(patient, opener, watch, limits, Clock.systemUTC());
      memories.add(local::forget);
      provider = local;
      probe = timeout -> local.renew(probing, timeout);
    }
    every(SWEEP, opener::sweep, timer);
    if (options.decryptCache().isEmpty()) {
      return new KeyChain(provider, opener, probe, Optional.empty());
    }
    var bounds = options.decryptCache().get();
    var memory = new SecretMemory(bounds.entries(), bounds.ttl(), System::nanoTime);
    memories.add(memory::clear);
    every(SWEEP, memory::sweep, timer);
    var cache = new CachingProvider(provider, memory);
    return new KeyChain(cache, cache.or(opener), probe, Optional.of(cache));
  }

  /// A key in memory answers at once or never; waiting and sharing are for keys that are elsewhere.
  private static KmsProvider patient(KmsProvider raw, UnaryOperator<KmsProvider> limits) {
    return raw.blocks() ? new SharingProvider(new RetryingProvider(limits.apply(raw))) : raw;
  }

  private static void every(Duration pause, Runnable work, ScheduledExecutorService timer) {
    var _ =
        timer.scheduleWithFixedDelay(
            work, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }
}
