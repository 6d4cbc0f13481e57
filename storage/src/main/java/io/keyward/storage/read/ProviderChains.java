package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.config.LocalKey;
import io.keyward.storage.config.Provider;
import io.keyward.storage.config.Provider.Kms;
import io.keyward.storage.read.Reading.Match;
import io.keyward.storage.resource.GroupResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which providers read a resource, and in which order. The first one writes.
public final class ProviderChains {
  /// A provider with its place in the file.
  public record Link(Provider provider, int resourcesIndex, int providerIndex) {
    ByteView prefix() {
      return provider instanceof Kms kms
          ? ByteView.wrap(concat(kms.kind().header(), ByteView.utf8(kms.name() + ":")))
          : ByteView.EMPTY;
    }

    Match match() {
      Optional<String> name =
          provider instanceof Kms kms ? Optional.of(kms.name()) : Optional.empty();
      return new Match(resourcesIndex, providerIndex, Optional.empty(), name);
    }

    Match match(LocalKey key) {
      return new Match(resourcesIndex, providerIndex, Optional.of(key.name()), Optional.empty());
    }

    private static byte[] concat(ByteView head, ByteView tail) {
      var joined = new byte[head.size() + tail.size()];
      head.toBuffer().get(joined, 0, head.size());
      tail.toBuffer().get(joined, head.size(), tail.size());
      return joined;
    }
  }

  private final Map<GroupResource, List<Link>> chains = new HashMap<>();

  public ProviderChains(EncryptionConfig config) {
    for (int i = 0; i < config.entries().size(); i++) {
      EncryptionConfig.Entry entry = config.entries().get(i);
      for (GroupResource resource : entry.resources()) {
        // A resource in two entries is legal: their providers follow each other.
        List<Link> chain = chains.computeIfAbsent(resource, _ -> new ArrayList<>());
        for (int j = 0; j < entry.providers().size(); j++) {
          chain.add(new Link(entry.providers().get(j), i, j));
        }
      }
    }
    chains.replaceAll((_, chain) -> List.copyOf(chain));
  }

  /// The exact rule, else the group's, else the one for everything. Empty: stored as it is.
  public Optional<List<Link>> of(GroupResource resource) {
    return rule(resource)
        .or(() -> rule(resource.anyInGroup()))
        .or(() -> rule(GroupResource.anyInAnyGroup()));
  }

  private Optional<List<Link>> rule(GroupResource resource) {
    return Optional.ofNullable(chains.get(resource));
  }
}
