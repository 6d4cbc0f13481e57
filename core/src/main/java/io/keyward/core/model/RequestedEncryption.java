package io.keyward.core.model;

import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderType;
import io.keyward.core.model.kms.ReferenceData;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// What the admin asks for.
///
/// @param kms present exactly where the mode is KMS and everything it refers to could be read
/// @param problem why the wish cannot be followed as it stands, for example a missing Secret
/// @param resources what is to be encrypted
public record RequestedEncryption(
    Mode mode,
    Optional<Kms> kms,
    String externalReason,
    Optional<String> problem,
    SortedSet<Resource> resources) {

  /// The KMS configuration and what it refers to, from one look.
  ///
  /// @param timeout how long an API server waits for a plugin that Keyward runs
  public record Kms(
      KmsPluginConfig plugin,
      ReferenceData secrets,
      ReferenceData configMaps,
      Fingerprint config,
      String timeout) {
    /// With the usual time limit.
    public Kms(
        KmsPluginConfig plugin,
        ReferenceData secrets,
        ReferenceData configMaps,
        Fingerprint config) {
      this(plugin, secrets, configMaps, config, KmsEndpoint.TIMEOUT);
    }

    public KmsKey keyFor(KeySerial serial) {
      return new KmsKey(endpoint(serial), Optional.of(plugin), secrets, configMaps);
    }

    private KmsEndpoint endpoint(KeySerial serial) {
      String own = plugin.spec().fields().get("endpoint");
      return plugin.spec().type().equals(ProviderType.EXTERNAL.word()) && own != null
          ? new KmsEndpoint(
              KmsEndpoint.API_VERSION,
              own,
              plugin.spec().fields().getOrDefault("timeout", KmsEndpoint.TIMEOUT))
          : KmsEndpoint.of(serial).within(timeout);
    }
  }

  public RequestedEncryption {
    resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
  }

  public static RequestedEncryption plain(Mode mode, Collection<Resource> resources) {
    return new RequestedEncryption(
        mode, Optional.empty(), "", Optional.empty(), new TreeSet<>(resources));
  }
}
