package io.keyward.cli.audit;

import io.keyward.storage.audit.Expectation;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.resource.GroupResource;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The questions of an audit, as options.
final class ExpectOptions {
  /// As Kubernetes names resources and groups; `*.` is the whole core group.
  private static final Pattern RESOURCE =
      Pattern.compile(
          "([a-z]([-a-z0-9]*[a-z0-9])?|\\*\\.)"
              + "|([a-z]([-a-z0-9]*[a-z0-9])?|\\*)\\.(\\*|[a-z0-9]([-.a-z0-9]*[a-z0-9])?)");

  private static final String HASH = "sha256:";
  private static final Pattern HASHED = Pattern.compile("sha256:[0-9a-f]{64}");

  @Option(
      names = "--expect-encrypted",
      split = ",",
      paramLabel = "RESOURCE",
      description = "must be encrypted, as secrets, deployments.apps, *.apps or *.*")
  private @Nullable Set<String> encrypted;

  @Option(
      names = "--allow-absent",
      description = "accept that no object of an --expect-encrypted resource exists")
  private boolean allowAbsent;

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

  /// What is misspelt here would be proven by its absence, so the form of each name is checked.
  Expectation expectation(CommandLine line, Optional<EncryptionConfig> config) {
    Set<String> resources = encrypted == null ? Set.of() : encrypted;
    check(line, encrypted == null || !resources.isEmpty(), "--expect-encrypted needs a name", "");
    resources.forEach(name ->
        check(
            line,
            RESOURCE.matcher(name).matches(),
            "--expect-encrypted takes resources such as secrets, deployments.apps, *.apps or *.*",
            name));
    check(line, key == null || !key.isBlank(), "--expect-key needs a name", "");
    unusedKeys.forEach(name -> check(line, !name.isBlank(), "--unused-key needs a name", name));
    unusedKeks.forEach(name ->
        check(
            line,
            !name.isBlank() && (!name.startsWith(HASH) || HASHED.matcher(name).matches()),
            "--unused-kek takes a key_id, or sha256: and 64 hexadecimal digits",
            name));
    Set<GroupResource> named =
        resources.stream().map(GroupResource::parse).collect(Collectors.toSet());
    return new Expectation(
        resources.isEmpty() ? encrypted(config) : named,
        allowAbsent ? Set.of() : named,
        Optional.ofNullable(key),
        unusedKeys,
        unusedKeks);
  }

  private static void check(CommandLine line, boolean fits, String rule, String given) {
    if (!fits) {
      throw new ParameterException(line, rule + (given.isBlank() ? "" : "; got: " + given));
    }
  }

  private static Set<GroupResource> encrypted(Optional<EncryptionConfig> config) {
    return config
        .map(EncryptionConfig::encryptedResources)
        .orElseGet(() -> Set.of(new GroupResource("secrets", "")));
  }
}
