package io.keyward.testkit.sim;

import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ReferenceData;
import java.util.HashSet;
import java.util.Set;

/// Statement 7: what a plugin is started with was tried before, to the last byte of a credential.
/// By content, not by the fingerprint that the engine goes by.
final class TriedConfigs {
  private final Server server;
  private final Set<Content> passed = new HashSet<>();

  private final Set<Content> edited = new HashSet<>();

  /// Everything that a plugin is started with.
  private record Content(KmsPluginConfig plugin, ReferenceData secrets, ReferenceData configMaps) {}

  TriedConfigs(Server server) {
    this.server = server;
  }

  void onPassed(KmsKey key) {
    passed.add(content(key));
  }

  void onEdited(Key key) {
    if (key.mode() == Mode.KMS) {
      edited.add(content(key));
    }
  }

  private static Content content(Key key) {
    return content(key.kms().orElseThrow());
  }

  private static Content content(KmsKey kms) {
    return new Content(kms.plugin().orElseThrow(), kms.secrets(), kms.configMaps());
  }

  void onKey(Key key) {
    if (key.mode() == Mode.KMS) {
      check(key, content(key));
    }
  }

  void onPublish(EncryptionLayout layout) {
    for (Key key : layout.keys()) {
      if (key.mode() == Mode.KMS) {
        check(key, content(key));
      }
    }
  }

  private void check(Key key, Content content) {
    if (!passed.contains(content) && !edited.contains(content)) {
      throw new Violation(7, server.name + ": " + key.label() + " was never tried out as it is");
    }
  }
}
