package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.config.LocalKey;
import io.keyward.storage.config.Provider.Identity;
import io.keyward.storage.config.Provider.Kms;
import io.keyward.storage.config.Provider.Local;
import io.keyward.storage.envelope.EncryptedObject;
import io.keyward.storage.envelope.ProviderKind;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.envelope.ValueEnvelope.KmsV2;
import io.keyward.storage.resource.GroupResource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What a configuration makes of a value, told without opening it: by names, not by keys.
///
/// It says "fits" where the names do. Only opening the value proves it.
public final class KeylessCheck {
  /// What the names say.
  public sealed interface Outlook {
    record Fits(boolean stale) implements Outlook {}

    record Unfit(ErrorClass errorClass) implements Outlook {}
  }

  private static final ByteView MARK = ProviderKind.UNKNOWN.header();

  private final ProviderChains chains;
  private final Function<String, Optional<String>> currentKeyId;

  /// `currentKeyId` answers what a KMS v2 plugin's Status reports, where that is known.
  public KeylessCheck(EncryptionConfig config, Function<String, Optional<String>> currentKeyId) {
    this.chains = new ProviderChains(config);
    this.currentKeyId = currentKeyId;
  }

  public Outlook check(GroupResource resource, ByteView value) {
    Optional<List<ProviderChains.Link>> chain = chains.of(resource);
    if (chain.isEmpty()) {
      return value.startsWith(MARK)
          ? new Outlook.Unfit(ErrorClass.IDENTITY_ENCRYPTED_DATA)
          : new Outlook.Fits(false);
    }
    boolean providerFits = false;
    for (int i = 0; i < chain.get().size(); i++) {
      ProviderChains.Link link = chain.get().get(i);
      Optional<Boolean> staleKey = fit(link, value);
      if (staleKey.isPresent()) {
        return new Outlook.Fits(i != 0 || staleKey.get());
      }
      providerFits |=
          link.provider() instanceof Local local && value.startsWith(local.kind().header());
    }
    return new Outlook.Unfit(
        providerFits ? ErrorClass.NO_MATCHING_KEY : ErrorClass.NO_MATCHING_PROVIDER);
  }

  /// Empty where the names do not fit; else whether an older key of this provider wrote it.
  private Optional<Boolean> fit(ProviderChains.Link link, ByteView value) {
    return switch (link.provider()) {
      case Identity _ -> value.startsWith(MARK) ? Optional.empty() : Optional.of(false);
      case Local local -> fit(local, value);
      case Kms kms ->
          value.startsWith(link.prefix())
              ? Optional.of(isStale(kms, value.drop(link.prefix().size())))
              : Optional.empty();
    };
  }

  private static Optional<Boolean> fit(Local local, ByteView value) {
    ByteView header = local.kind().header();
    if (!value.startsWith(header)) {
      return Optional.empty();
    }
    ByteView rest = value.drop(header.size());
    for (int i = 0; i < local.keys().size(); i++) {
      LocalKey key = local.keys().get(i);
      if (rest.startsWith(ByteView.utf8(key.name() + ":"))) {
        return Optional.of(i != 0);
      }
    }
    return Optional.empty();
  }

  private boolean isStale(Kms kms, ByteView body) {
    return kms.kind() == ProviderKind.KMS_V2
        && ValueEnvelope.parseKmsV2(ByteView.EMPTY, body) instanceof KmsV2(_, var object)
        && (object.dekSourceType() != EncryptedObject.SEED
            || currentKeyId.apply(kms.name()).map(id -> !id.equals(object.keyId())).orElse(false));
  }
}
