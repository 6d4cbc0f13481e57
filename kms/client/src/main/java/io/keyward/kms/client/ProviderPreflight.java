package io.keyward.kms.client;

import io.keyward.kms.client.PreflightReport.Step;
import io.keyward.kms.client.ProviderReport.Finding;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.SettingsException;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Tries one key of a KMS through its provider, without a plugin and without a cluster.
public final class ProviderPreflight {
  /// The first call also pays for the login, the connection and our own cold code.
  private static final Duration FIRST = Duration.ofSeconds(10);

  private final KmsProviderFactory factory;
  private final Duration budget;
  private final Duration slow;
  private final List<Step> steps = new ArrayList<>();
  private String keyId = "";
  private KekReport kek = KekReport.NOTHING;

  /// Prepares a preflight; nothing is called yet.
  ///
  /// @param budget what the plugin would give each call
  /// @param slow what a call may take once the login and the connection are there
  public ProviderPreflight(KmsProviderFactory factory, Duration budget, Duration slow) {
    this.factory = factory;
    this.budget = budget;
    this.slow = slow;
  }

  public ProviderReport run(String key, ProviderSettings settings) {
    Optional<Finding> finding = tried(settings);
    return new ProviderReport(key, factory.name(), keyId, steps, kek, finding);
  }

  private Optional<Finding> tried(ProviderSettings settings) {
    String doing = "create";
    try (KmsProvider provider = timed(doing, () -> factory.create(settings))) {
      var bytes = new byte[32];
      new SecureRandom().nextBytes(bytes);
      var dek = new Secret(bytes);
      doing = "first wrap";
      Wrapped first = timed(doing, () -> first(provider, dek));
      keyId = first.kek().value();
      doing = "unwrap";
      Secret opened = timed(doing, () -> provider.unwrap(first, budget));
      doing = "wrap";
      timed(doing, () -> provider.wrap(dek, budget));
      doing = "report";
      kek = timed(doing, () -> provider.report(budget));
      return judge(opened.equals(dek));
    } catch (SettingsException e) {
      return Optional.of(
          new Finding(
              "the provider cannot work with its settings",
              "setting '" + e.setting() + "': " + e.problem(),
              "correct it in the configuration"));
    } catch (KmsException e) {
      return Optional.of(Remedies.finding(doing, e));
    }
  }

  /// A first time-out may be our own: this program was started a moment ago.
  private static Wrapped first(KmsProvider provider, Secret dek) {
    try {
      return provider.wrap(dek, FIRST);
    } catch (KmsException e) {
      if (e.kind() != KmsException.Kind.TIMEOUT) {
        throw e;
      }
      return provider.wrap(dek, FIRST);
    }
  }

  private Optional<Finding> judge(boolean sameBytes) {
    if (!sameBytes) {
      return Optional.of(
          new Finding(
              "unwrap returned other bytes than were wrapped",
              "",
              "do not use this KMS: data written with it would be lost"));
    }
    if (kek.state() != KekReport.State.ENABLED && kek.state() != KekReport.State.UNKNOWN) {
      return Optional.of(
          new Finding(
              "the KMS reports that the key is " + kek.state(),
              String.join("; ", kek.warnings()),
              "enable or restore the key in the KMS before anything depends on it"));
    }
    return steps.stream()
        .filter(step -> step.name().equals("wrap") || step.name().equals("unwrap"))
        .filter(step -> step.took().compareTo(slow) > 0)
        .findFirst()
        .map(step ->
            new Finding(
                "it works, but a call took too long",
                step.name() + " took " + step.took().toMillis() + " ms",
                "API servers give up after 3 s; look at the network to the KMS"));
  }

  private <T> T timed(String name, Supplier<T> call) {
    long begin = System.nanoTime();
    boolean passed = false;
    try {
      T answer = call.get();
      passed = true;
      return answer;
    } finally {
      steps.add(new Step(name, passed, Duration.ofNanos(System.nanoTime() - begin)));
    }
  }
}
