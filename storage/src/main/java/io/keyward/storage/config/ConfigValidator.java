package io.keyward.storage.config;

import io.keyward.storage.resource.GroupResource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The validate stage: every rule of kube-apiserver in its order, in its words.
final class ConfigValidator {
  private static final Set<String> NOT_IN_THE_API =
      Set.of("apiserveripinfo", "serviceipallocations", "servicenodeportallocations");
  private static final List<Integer> AES_SIZES = List.of(16, 24, 32);
  private static final List<Integer> SECRETBOX_SIZES = List.of(32);

  private final Problems problems;
  private final KmsValidator kms;

  ConfigValidator(Problems problems, boolean reload) {
    this.problems = problems;
    this.kms = new KmsValidator(problems, reload);
  }

  void validate(Raw.Config config) {
    if (config.entries().isEmpty()) {
      atLeastOne("resources", "resources");
    }
    for (int i = 0; i < config.entries().size(); i++) {
      entry(config.entries().get(i), "resources[" + i + "]");
    }
  }

  private void entry(Raw.Entry entry, String path) {
    String resources = path + ".resources";
    if (entry.resources().isEmpty()) {
      atLeastOne(resources, resources);
    }
    overlap(entry.resources().stream().map(GroupResource::parse).toList(), resources);
    for (int i = 0; i < entry.resources().size(); i++) {
      name(entry.resources().get(i), resources + "[" + i + "]");
    }
    String providers = path + ".providers";
    if (entry.providers().isEmpty()) {
      atLeastOne(providers, providers);
    }
    for (int i = 0; i < entry.providers().size(); i++) {
      element(entry.providers().get(i), providers + "[" + i + "]");
    }
  }

  private void atLeastOne(String field, String what) {
    problems.add(field, ConfigError.REQUIRED, "at least one " + what + " is required", "add one");
  }

  private void overlap(List<GroupResource> resources, String path) {
    boolean duplicate = new HashSet<>(resources).size() < resources.size();
    boolean overlap = false;
    for (int i = 0; i < resources.size(); i++) {
      for (int j = 0; j < resources.size(); j++) {
        overlap |= i != j && overlaps(resources.get(i), resources.get(j));
      }
    }
    if (duplicate) {
      problems.add(
          path,
          ConfigError.INVALID,
          "the same resource cannot be specified multiple times",
          "name each resource once");
    }
    if (overlap) {
      problems.add(
          path,
          ConfigError.INVALID,
          "using overlapping resources such as 'secrets' and '*.' in the same resource list is not"
              + " allowed as they will be masked",
          "keep the wildcard or the names it covers");
    }
  }

  private static boolean overlaps(GroupResource one, GroupResource other) {
    if (one.isAnyInAnyGroup() || other.isAnyInAnyGroup()) {
      return true;
    }
    return one.group().equals(other.group())
        && (one.resource().equals(GroupResource.ANY) || other.resource().equals(GroupResource.ANY));
  }

  private void name(String name, String path) {
    nameProblem(name)
        .ifPresent(detail ->
            problems.add(path, ConfigError.INVALID, detail, "correct the resource's name"));
  }

  private static Optional<String> nameProblem(String name) {
    GroupResource resource = GroupResource.parse(name);
    if (!name.equals(name.toLowerCase(Locale.ROOT))) {
      return Optional.of("resource name should not contain capital letters");
    }
    if (name.equals(GroupResource.ANY)) {
      return Optional.of(
          "use '*.' to encrypt all the resources from core API group or *.* to encrypt all"
              + " resources");
    }
    if (NOT_IN_THE_API.contains(name)) {
      return Optional.of("resources which do not have REST API/s cannot be encrypted");
    }
    if (resource.group().equals("events.k8s.io")) {
      return Optional.of(
          "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events'"
              + " instead in the config file");
    }
    if (resource.group().equals("extensions")) {
      return Optional.of("'extensions' group has been removed and cannot be used for encryption");
    }
    return resource.group().equals(GroupResource.ANY) && !resource.isAnyInAnyGroup()
        ? Optional.of("encrypting the same resource across groups is not supported")
        : Optional.empty();
  }

  private void element(Raw.Element element, String path) {
    if (element.parts() != 1) {
      problems.add(
          path,
          ConfigError.INVALID,
          element.parts() == 0
              ? "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC,"
                  + " Secretbox, Identity"
              : "more than one provider specified in a single element, should split into different"
                  + " list elements",
          "write one provider for each list element; identity is `identity: {}`");
    }
    if (element.kms().isPresent()) {
      kms.validate(element.kms().get(), path + ".kms");
    } else if (element.aesgcm().isPresent()) {
      keys(element.aesgcm().get(), path + ".aesgcm.keys", AES_SIZES);
    } else if (element.aescbc().isPresent()) {
      keys(element.aescbc().get(), path + ".aescbc.keys", AES_SIZES);
    } else if (element.secretbox().isPresent()) {
      keys(element.secretbox().get(), path + ".secretbox.keys", SECRETBOX_SIZES);
    }
  }

  private void keys(List<Raw.Key> keys, String path, List<Integer> sizes) {
    if (keys.isEmpty()) {
      atLeastOne(path, "keys");
    }
    for (int i = 0; i < keys.size(); i++) {
      key(keys.get(i), path + "[" + i + "]", sizes);
    }
  }

  private void key(Raw.Key key, String path, List<Integer> sizes) {
    if (key.name().isEmpty()) {
      problems.add(
          path + ".name",
          ConfigError.REQUIRED,
          "name is a mandatory field for a key",
          "name the key");
    }
    secretProblem(key.secret(), sizes)
        .ifPresent(detail ->
            problems.add(
                path + ".secret",
                key.secret().isEmpty() ? ConfigError.REQUIRED : ConfigError.INVALID,
                detail,
                "generate one: head -c 32 /dev/urandom | base64"));
  }

  private static Optional<String> secretProblem(String secret, List<Integer> sizes) {
    if (secret.isEmpty()) {
      return Optional.of("secret is a mandatory field for a key");
    }
    Optional<byte[]> bytes = GoBase64.decode(secret);
    if (bytes.isEmpty()) {
      return Optional.of("secrets must be base64 encoded");
    }
    int size = bytes.get().length;
    return sizes.contains(size)
        ? Optional.empty()
        : Optional.of(
            "secret is not of the expected length, got "
                + size
                + ", expected one of "
                + sizes.toString().replace(",", ""));
  }
}
