package io.keyward.storage.config;

import io.keyward.storage.envelope.ProviderKind;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/// One element of a provider list. The first of a list writes, all of them read.
public sealed interface Provider {
  record Identity() implements Provider {}

  record Local(ProviderKind kind, List<LocalKey> keys) implements Provider {
    public Local {
      keys = List.copyOf(keys);
    }
  }

  record Kms(Version version, String name, String endpoint, Duration timeout, OptionalInt cacheSize)
      implements Provider {
    public ProviderKind kind() {
      return version == Version.V1 ? ProviderKind.KMS_V1 : ProviderKind.KMS_V2;
    }
  }

  enum Version {
    V1,
    V2
  }
}
