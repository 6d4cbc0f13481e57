package io.keyward.storage.config;

import io.keyward.storage.config.ConfigWarning.Kind;
import io.keyward.storage.envelope.ProviderKind;
import io.keyward.storage.resource.GroupResource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finds what is legal and unwise.
final class ConfigWarnings {
  private final Problems places;
  private final List<ConfigWarning> warnings = new ArrayList<>();
  private final List<LocalKey> keys = new ArrayList<>();
  private final Set<GroupResource> resources = new HashSet<>();

  ConfigWarnings(Problems places) {
    this.places = places;
  }

  List<ConfigWarning> of(EncryptionConfig config) {
    for (int i = 0; i < config.entries().size(); i++) {
      entry(config.entries().get(i), "resources[" + i + "]");
    }
    return warnings;
  }

  private void entry(EncryptionConfig.Entry entry, String path) {
    for (int i = 0; i < entry.resources().size(); i++) {
      if (!resources.add(entry.resources().get(i))) {
        warn(Kind.RESOURCE_TWICE, path + ".resources[" + i + "]");
      }
    }
    List<Provider> providers = entry.providers();
    for (int i = 0; i < providers.size(); i++) {
      String at = path + ".providers[" + i + "]";
      switch (providers.get(i)) {
        case Provider.Identity _ -> warn(i == 0 ? Kind.IDENTITY_FIRST : Kind.IDENTITY_LEFT, at);
        case Provider.Local local -> local(local, i == 0, at + "." + local.kind().word());
        case Provider.Kms kms when kms.version() == Provider.Version.V1 ->
            warn(Kind.KMS_V1, at + ".kms");
        case Provider.Kms _ -> {}
      }
    }
  }

  private void local(Provider.Local local, boolean writes, String path) {
    if (writes && local.kind() == ProviderKind.AESCBC) {
      warn(Kind.AESCBC, path);
    }
    if (writes && local.kind() == ProviderKind.AESGCM) {
      warn(Kind.AESGCM, path);
    }
    for (int i = 0; i < local.keys().size(); i++) {
      LocalKey key = local.keys().get(i);
      String at = path + ".keys[" + i + "]";
      if (key.isAllZero()) {
        warn(Kind.ZERO_KEY, at);
      } else if (keys.stream().anyMatch(key::hasSameBytesAs)) {
        warn(Kind.KEY_REUSED, at);
      }
      keys.add(key);
    }
  }

  private void warn(Kind kind, String field) {
    warnings.add(new ConfigWarning(kind, field, places.lineOf(field)));
  }
}
