package io.keyward.testkit.sim;

import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ReferenceData;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// Statement 7: what a plugin is started with was tried before, to the last byte of a credential.
/// By content, not by the fingerprint that the engine goes by.
final class TriedConfigs {
  private final Server server;
  private final Set<Content> passed = new HashSet<>();

  /// Of keys that are not asked for any more. No preflight tries them, so each part must have
  /// passed by itself: the configuration of the key, and the credentials that it shares.
  private final Set<Content> carriedOver = new HashSet<>();

  private final Set<Content> edited = new HashSet<>();

  /// Everything that a plugin is started with.
  private record Content(KmsPluginConfig plugin, ReferenceData secrets, ReferenceData configMaps) {}

  TriedConfigs(Server server) {
    this.server = server;
  }

  void onPassed(RequestedEncryption.Kms config) {
    passed.add(new Content(config.plugin(), config.secrets(), config.configMaps()));
  }

  void onEdited(Key key) {
    if (key.mode() == Mode.KMS) {
      edited.add(content(key));
    }
  }

  private static Content content(Key key) {
    KmsKey kms = key.kms().orElseThrow();
    return new Content(kms.plugin().orElseThrow(), kms.secrets(), kms.configMaps());
  }

  /// @param known the key secrets by which it was decided
  void onKey(Key key, RequestedEncryption wanted, Map<KeySerial, Server.Secret> known) {
    if (key.mode() != Mode.KMS) {
      return;
    }
    Content content = content(key);
    boolean isAsked =
        wanted
            .kms()
            .map(kms -> ProviderEntries.remoteKeyOf(key.with(kms.keyFor(key.serial()))))
            .filter(asked -> asked.equals(ProviderEntries.remoteKeyOf(key)))
            .isPresent();
    if (!isKnown(content) && !(isAsked && isNewest(key, known)) && hasPassedInParts(content)) {
      carriedOver.add(content);
    }
    check(key, content);
  }

  private static boolean isNewest(Key key, Map<KeySerial, Server.Secret> known) {
    return known.entrySet().stream()
        .filter(secret -> secret.getKey().compareTo(key.serial()) > 0)
        .map(Map.Entry::getValue)
        .allMatch(secret -> secret.damaged() || KeyCycles.isWithdrawn(secret.key()));
  }

  private boolean isKnown(Content content) {
    return passed.contains(content) || carriedOver.contains(content) || edited.contains(content);
  }

  private boolean hasPassedInParts(Content content) {
    return Stream.concat(passed.stream(), edited.stream())
            .anyMatch(one -> one.plugin().equals(content.plugin()))
        && content.secrets().entries().entrySet().stream()
            .allMatch(entry ->
                passed.stream()
                    .anyMatch(one ->
                        Objects.equals(
                            one.secrets().entries().get(entry.getKey()), entry.getValue())));
  }

  void onPublish(EncryptionLayout layout) {
    for (Key key : layout.keys()) {
      if (key.mode() == Mode.KMS) {
        check(key, content(key));
      }
    }
  }

  private void check(Key key, Content content) {
    if (!isKnown(content)) {
      throw new Violation(7, server.name + ": " + key.label() + " was never tried out as it is");
    }
  }
}
