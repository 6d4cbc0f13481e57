package io.keyward.storage.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A configuration as written, before anybody judged it. Absent text is empty text, as in Go.
final class Raw {
  private Raw() {}

  record Config(List<Entry> entries) {}

  record Entry(List<String> resources, List<Element> providers) {}

  /// One element of a provider list; a sound one has exactly one part.
  record Element(
      Optional<List<Key>> aesgcm,
      Optional<List<Key>> aescbc,
      Optional<List<Key>> secretbox,
      boolean identity,
      Optional<Kms> kms) {
    int parts() {
      int parts = identity ? 1 : 0;
      for (Optional<?> part : List.of(aesgcm, aescbc, secretbox, kms)) {
        parts += part.isPresent() ? 1 : 0;
      }
      return parts;
    }
  }

  /// Not a record: its `toString` would print the secret.
  static final class Key {
    private final String name;
    private final String secret;

    Key(String name, String secret) {
      this.name = name;
      this.secret = secret;
    }

    String name() {
      return name;
    }

    String secret() {
      return secret;
    }
  }

  record Kms(
      String apiVersion,
      String name,
      String endpoint,
      Optional<Integer> cacheSize,
      Optional<Duration> timeout) {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);
    private static final int DEFAULT_CACHE_SIZE = 1000;

    /// As kube-apiserver fills in what the file leaves out. The version is v1 unless told.
    Kms withDefaults() {
      String version = apiVersion.isEmpty() ? "v1" : apiVersion;
      Optional<Integer> size =
          version.equals("v1") ? cacheSize.or(() -> Optional.of(DEFAULT_CACHE_SIZE)) : cacheSize;
      return new Kms(version, name, endpoint, size, timeout.or(() -> Optional.of(DEFAULT_TIMEOUT)));
    }
  }
}
