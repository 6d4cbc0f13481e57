package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.config.LocalKey;
import io.keyward.storage.config.Provider.Identity;
import io.keyward.storage.config.Provider.Kms;
import io.keyward.storage.config.Provider.Local;
import io.keyward.storage.envelope.ProviderKind;
import io.keyward.storage.read.Reading.Match;
import io.keyward.storage.read.Reading.Opened;
import io.keyward.storage.read.Reading.Refused;
import io.keyward.storage.resource.GroupResource;
import java.util.List;
import java.util.Optional;

/// Reads stored values as a kube-apiserver with this configuration reads them. Thread-safe.
///
/// A matching prefix decides nothing: when its key fails, later candidates are still tried.
public final class StorageReader {
  private static final ByteView MARK = ProviderKind.UNKNOWN.header();

  private final ProviderChains chains;
  private final KmsOpener kms;

  public StorageReader(EncryptionConfig config, Unwrapper unwrapper) {
    this.chains = new ProviderChains(config);
    this.kms = new KmsOpener(unwrapper);
  }

  public Reading read(GroupResource resource, ByteView etcdKey, ByteView value) {
    return chains
        .of(resource)
        .map(chain -> readWith(chain, etcdKey, value))
        .orElseGet(() -> readBare(value));
  }

  /// No rule for the resource.
  private static Reading readBare(ByteView value) {
    return value.startsWith(MARK)
        ? new Refused(ErrorClass.IDENTITY_ENCRYPTED_DATA)
        : new Opened(value, false, Optional.empty());
  }

  private Reading readWith(List<ProviderChains.Link> chain, ByteView etcdKey, ByteView value) {
    Optional<Refused> first = Optional.empty();
    for (int i = 0; i < chain.size(); i++) {
      Optional<Reading> tried = tryLink(chain.get(i), i == 0, etcdKey, value);
      if (tried.isPresent() && tried.get() instanceof Opened opened) {
        return opened;
      }
      if (first.isEmpty() && tried.isPresent() && tried.get() instanceof Refused refused) {
        first = Optional.of(refused);
      }
    }
    return first.orElse(new Refused(ErrorClass.NO_MATCHING_PROVIDER));
  }

  /// Empty where the link has nothing to say about the value.
  private Optional<Reading> tryLink(
      ProviderChains.Link link, boolean writes, ByteView etcdKey, ByteView value) {
    return switch (link.provider()) {
      case Identity _ ->
          value.startsWith(MARK)
              ? Optional.empty()
              : Optional.of(new Opened(value, !writes, Optional.of(link.match())));
      case Local local ->
          after(local.kind().header(), value)
              .map(rest -> tryKeys(local, rest, etcdKey, link, writes));
      case Kms provider ->
          after(link.prefix(), value)
              .map(body -> kms.open(provider, body, etcdKey))
              .map(opening -> reading(opening, writes, link.match()));
    };
  }

  private static Reading tryKeys(
      Local local, ByteView rest, ByteView etcdKey, ProviderChains.Link link, boolean writes) {
    Optional<Refused> first = Optional.empty();
    for (int i = 0; i < local.keys().size(); i++) {
      LocalKey key = local.keys().get(i);
      Optional<ByteView> body = after(ByteView.utf8(key.name() + ":"), rest);
      if (body.isPresent()) {
        Opening opening = open(local.kind(), key.reveal(), body.get(), etcdKey);
        Reading tried = reading(opening, writes && i == 0, link.match(key));
        switch (tried) {
          case Opened opened -> {
            return opened;
          }
          case Refused refused -> first = first.or(() -> Optional.of(refused));
        }
      }
    }
    return first.orElse(new Refused(ErrorClass.NO_MATCHING_KEY));
  }

  private static Opening open(ProviderKind kind, byte[] key, ByteView body, ByteView etcdKey) {
    return switch (kind) {
      case AESCBC -> Aes.openCbc(key, body);
      case AESGCM -> Aes.openGcm(key, body, etcdKey);
      case SECRETBOX -> SecretBox.open(key, body);
      case IDENTITY, KMS_V1, KMS_V2, UNKNOWN ->
          throw new IllegalArgumentException("no local provider: " + kind);
    };
  }

  private static Reading reading(Opening opening, boolean writes, Match match) {
    return switch (opening) {
      case Opening.Plain(var plaintext, var outdated) ->
          new Opened(plaintext, outdated || !writes, Optional.of(match));
      case Opening.Failed(var errorClass, var detail) -> new Refused(errorClass, detail);
    };
  }

  private static Optional<ByteView> after(ByteView prefix, ByteView value) {
    return value.startsWith(prefix) ? Optional.of(value.drop(prefix.size())) : Optional.empty();
  }
}
