package io.keyward.storage.config;

import io.keyward.storage.envelope.ProviderKind;
import io.keyward.storage.resource.GroupResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// The build stage: a valid file becomes providers. It may still fail on what entries hide.
final class ConfigBuilder {
  private final Problems problems;
  private final boolean kmsV1Gate;

  ConfigBuilder(Problems problems, boolean kmsV1Gate) {
    this.problems = problems;
    this.kmsV1Gate = kmsV1Gate;
  }

  EncryptionConfig build(Raw.Config raw) {
    var entries = new ArrayList<EncryptionConfig.Entry>();
    Set<GroupResource> earlier = new HashSet<>();
    for (int i = 0; i < raw.entries().size(); i++) {
      String path = "resources[" + i + "]";
      Raw.Entry entry = raw.entries().get(i);
      List<Provider> providers = new ArrayList<>();
      for (int j = 0; j < entry.providers().size(); j++) {
        providers.add(provider(entry.providers().get(j), path + ".providers[" + j + "]"));
      }
      List<GroupResource> resources = entry.resources().stream().map(GroupResource::parse).toList();
      for (int j = 0; j < resources.size(); j++) {
        refuseMasked(resources.get(j), earlier, path + ".resources[" + j + "]");
        earlier.add(resources.get(j));
      }
      entries.add(new EncryptionConfig.Entry(resources, providers));
    }
    return new EncryptionConfig(entries);
  }

  private void refuseMasked(GroupResource resource, Set<GroupResource> earlier, String path) {
    for (GroupResource mask : List.of(resource.anyInGroup(), GroupResource.anyInAnyGroup())) {
      if (earlier.contains(mask)) {
        problems.add(
            path,
            ConfigError.BUILD,
            "resource \"" + resource + "\" is masked by earlier rule \"" + mask + "\"",
            "move this entry before the wildcard");
        return;
      }
    }
  }

  private Provider provider(Raw.Element element, String path) {
    if (element.kms().isPresent()) {
      return kms(element.kms().get(), path + ".kms");
    }
    return local(ProviderKind.AESGCM, element.aesgcm())
        .or(() -> local(ProviderKind.AESCBC, element.aescbc()))
        .or(() -> local(ProviderKind.SECRETBOX, element.secretbox()))
        .orElseGet(Provider.Identity::new);
  }

  private static Optional<Provider> local(ProviderKind kind, Optional<List<Raw.Key>> keys) {
    return keys.map(
        list -> new Provider.Local(kind, list.stream().map(ConfigBuilder::key).toList()));
  }

  private static LocalKey key(Raw.Key key) {
    return new LocalKey(key.name(), GoBase64.decode(key.secret()).orElseThrow());
  }

  private Provider kms(Raw.Kms kms, String path) {
    boolean v1 = kms.apiVersion().equals("v1");
    if (v1 && !kmsV1Gate) {
      problems.add(
          path + ".apiVersion",
          ConfigError.BUILD,
          "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2"
              + " instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.",
          "write apiVersion: v2; without it the version is v1");
    }
    return new Provider.Kms(
        v1 ? Provider.Version.V1 : Provider.Version.V2,
        kms.name(),
        kms.endpoint(),
        kms.timeout().orElse(Duration.ZERO),
        kms.cacheSize().map(OptionalInt::of).orElseGet(OptionalInt::empty));
  }
}
