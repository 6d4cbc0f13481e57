package io.keyward.core.view;

import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderSpec;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The plugin of a KMS key, and the key of the KMS behind it. No credentials.
///
/// @param provider the type of the KMS; empty where only the socket is known
/// @param remoteKey the fields that name the key of the KMS
/// @param image of the plugin, where the configuration names one
/// @param isManaged whether Keyward runs it
public record PluginView(
    String endpoint,
    String provider,
    SortedMap<String, String> remoteKey,
    Optional<String> image,
    boolean isManaged) {
  private static final String IMAGE = "kmsPluginImage";

  public PluginView {
    remoteKey = Collections.unmodifiableSortedMap(new TreeMap<>(remoteKey));
  }

  static PluginView of(KmsKey kms) {
    Optional<ProviderSpec> spec = kms.plugin().map(KmsPluginConfig::spec);
    var named = new TreeMap<String, String>();
    spec.ifPresent(one -> named.putAll(one.remoteKey().fields()));
    named.remove(IMAGE);
    return new PluginView(
        kms.endpoint().endpoint(),
        spec.map(ProviderSpec::type).orElse(""),
        named,
        spec.flatMap(one -> Optional.ofNullable(one.fields().get(IMAGE))),
        kms.isManaged());
  }
}
