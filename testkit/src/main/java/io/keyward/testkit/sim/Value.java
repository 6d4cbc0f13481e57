package io.keyward.testkit.sim;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.kms.KekId;
import org.jspecify.annotations.Nullable;

/// A stored value remembers what sealed it. No key is plaintext.
record Value(@Nullable Key sealedBy, String providerName, @Nullable KekId kek) {
  static final Value PLAINTEXT = new Value(null, "", null);

  /// Written while an instance had lost its configuration. If no operator looked in that time, only
  /// an audit of etcd can find it.
  static final Value LEAKED = new Value(null, "leaked", null);

  /// Not the serial alone: the bytes, the provider's name and the remote key must be the same.
  boolean isReadableWith(@Nullable EncryptionLayout layout, Resource resource) {
    Key key = sealedBy;
    return key == null
        || ProviderEntries.reads(layout, resource, new ProviderEntries.Entry(key, providerName));
  }
}
