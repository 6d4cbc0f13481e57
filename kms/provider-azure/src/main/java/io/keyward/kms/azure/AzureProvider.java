package io.keyward.kms.azure;

import com.azure.security.keyvault.keys.cryptography.models.WrapResult;
import com.azure.security.keyvault.keys.models.KeyProperties;
import io.keyward.kms.remote.ClockSkew;
import io.keyward.kms.remote.Deadline;
import io.keyward.kms.remote.Envelope;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Supplier;

/// Wraps with a key of Key Vault or Managed HSM: one call for each wrap and unwrap.
///
/// Without a pinned version the vault chooses the newest one, and its answer says which. If that
/// one is disabled or expired, the newest that may be used is looked for, and used for a minute
/// before the vault is asked again.
final class AzureProvider implements KmsProvider {
  private static final Duration FALLBACK_LIFE = Duration.ofMinutes(1);

  private record Fallback(String version, Instant until) {}

  private final VaultKey key;
  private final KeyVault vault;
  private final RedirectingHttpClient wire;
  private final FreshCredential credential;
  private final Supplier<Optional<Instant>> certificateUntil;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private volatile Optional<Fallback> fallback = Optional.empty();

  AzureProvider(
      VaultKey key,
      RedirectingHttpClient wire,
      FreshCredential credential,
      Supplier<Optional<Instant>> certificateUntil,
      Clock clock) {
    this.key = key;
    this.wire = wire;
    this.credential = credential;
    this.certificateUntil = certificateUntil;
    this.clock = clock;
    this.vault = new KeyVault(key, wire, credential);
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    Secret oneTimeKey = Envelope.newOneTimeKey(random);
    return Deadline.after(timeout)
        .run(() -> {
          WrapResult answer = wrapNewest(oneTimeKey);
          String version = key.versionIn(answer.getKeyId());
          return Envelope.seal(key.kek(), version, answer.getEncryptedKey(), oneTimeKey, dek);
        });
  }

  private WrapResult wrapNewest(Secret oneTimeKey) {
    Instant now = clock.instant();
    String version =
        key.pinned()
            .or(() -> fallback.filter(it -> now.isBefore(it.until())).map(Fallback::version))
            .orElse("");
    try {
      return authorized(() -> vault.wrap(version, oneTimeKey.reveal()));
    } catch (RuntimeException e) {
      VaultFailure failure = VaultFailure.of(e);
      if (!failure.isAboutTheVersion() || key.pinned().isPresent()) {
        throw failure.explain(key, false);
      }
      return wrapWithAnother(failure, oneTimeKey, now);
    }
  }

  private WrapResult wrapWithAnother(VaultFailure reason, Secret oneTimeKey, Instant now) {
    try {
      String usable =
          vault
              .newestEnabled(OffsetDateTime.ofInstant(now, ZoneOffset.UTC))
              .map(KeyProperties::getVersion)
              .orElseThrow(() -> reason.explain(key, false));
      WrapResult answer = vault.wrap(usable, oneTimeKey.reveal());
      fallback = Optional.of(new Fallback(usable, now.plus(FALLBACK_LIFE)));
      return answer;
    } catch (RuntimeException e) {
      fallback = Optional.empty();
      throw VaultFailure.of(e).explain(key, false);
    }
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    Envelope envelope = Envelope.read(wrapped);
    envelope.check(key.kek(), wrapped);
    // It becomes part of an address, so what is stored may not put just anything there.
    if (!VaultKey.isVersion(envelope.version())) {
      throw new KmsException(Kind.UNKNOWN_KEK, "the key_id names no version of a key vault");
    }
    byte[] oneTimeKey =
        Deadline.after(timeout)
            .run(() -> {
              try {
                return authorized(() -> vault.unwrap(envelope.version(), envelope.wrappedKey()));
              } catch (RuntimeException e) {
                throw VaultFailure.of(e).explain(key, true);
              }
            });
    return envelope.open(wrapped, new Secret(oneTimeKey));
  }

  /// A token that is refused costs one log-in and one more call.
  private <T> T authorized(Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      if (VaultFailure.of(e).status() != 401) {
        throw e;
      }
      vault.relogin();
      return call.get();
    }
  }

  @Override
  public KekReport report(Duration timeout) {
    return Deadline.after(timeout)
        .run(() -> {
          try {
            return report(vault.facts(key.pinned().orElse("")));
          } catch (RuntimeException e) {
            throw VaultFailure.of(e).explain(key, false);
          }
        });
  }

  private KekReport report(KeyVault.Facts facts) {
    KeyProperties newest = facts.properties();
    var warnings = new ArrayList<String>();
    ClockSkew.warning(facts.date(), clock.instant()).ifPresent(warnings::add);
    Optional<Instant> expires =
        Optional.ofNullable(newest.getExpiresOn()).map(OffsetDateTime::toInstant);
    State state = Boolean.FALSE.equals(newest.isEnabled()) ? State.DISABLED : State.ENABLED;
    if (expires.isPresent() && !expires.get().isAfter(clock.instant())) {
      state = State.EXPIRED;
    }
    if (state != State.ENABLED && key.pinned().isEmpty() && fallback.isPresent()) {
      warnings.add(
          "the newest key version cannot be used, an older one wraps: enable it or rotate the key");
      state = State.ENABLED;
    }
    if (String.valueOf(newest.getRecoveryLevel()).contains("Purgeable")) {
      warnings.add("a deleted key can be purged at once in this vault: turn purge protection on");
    }
    return new KekReport(state, expires, certificateUntil.get().or(credential::until), warnings);
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public void close() {
    wire.close();
  }
}
