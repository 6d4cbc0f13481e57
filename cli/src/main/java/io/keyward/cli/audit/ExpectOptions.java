package io.keyward.cli.audit;

import io.keyward.storage.audit.Expectation;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.config.Provider;
import io.keyward.storage.resource.GroupResource;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The questions of an audit, as options.
final class ExpectOptions {
  @Option(
      names = "--expect-encrypted",
      split = ",",
      paramLabel = "RESOURCE",
      description = "must be encrypted, as secrets, deployments.apps, *.apps or *.*")
  private Set<String> encrypted = new LinkedHashSet<>();

  @Option(
      names = "--expect-key",
      paramLabel = "NAME",
      description = "the key, KMS provider or key_id that must protect all of them")
  private @Nullable String key;

  @Option(
      names = "--unused-key",
      split = ",",
      paramLabel = "NAME",
      description = "prove that nothing needs this key or KMS provider any more")
  private Set<String> unusedKeys = new LinkedHashSet<>();

  @Option(
      names = "--unused-kek",
      split = ",",
      paramLabel = "ID",
      description = "prove that nothing needs this KEK: a key_id, or its sha256: hash")
  private Set<String> unusedKeks = new LinkedHashSet<>();

  Expectation expectation(Optional<EncryptionConfig> config) {
    return new Expectation(encrypted(config), Optional.ofNullable(key), unusedKeys, unusedKeks);
  }

  private Set<GroupResource> encrypted(Optional<EncryptionConfig> config) {
    if (!encrypted.isEmpty()) {
      return encrypted.stream().map(GroupResource::parse).collect(Collectors.toSet());
    }
    return config
        .map(ExpectOptions::sealedBy)
        .orElseGet(() -> Set.of(new GroupResource("secrets", "")));
  }

  /// What the configuration writes encrypted. An earlier entry decides who writes.
  private static Set<GroupResource> sealedBy(EncryptionConfig config) {
    var seen = new LinkedHashSet<GroupResource>();
    var sealed = new LinkedHashSet<GroupResource>();
    for (EncryptionConfig.Entry entry : config.entries()) {
      boolean plain = entry.providers().getFirst() instanceof Provider.Identity;
      for (GroupResource resource : entry.resources()) {
        if (seen.add(resource) && !plain) {
          sealed.add(resource);
        }
      }
    }
    return sealed;
  }
}
