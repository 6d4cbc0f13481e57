package io.keyward.kms.plugin.config;

import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.config.KeyOptions.DecryptCache;
import io.keyward.kms.plugin.config.KeyOptions.LocalKekLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Reads what may be turned on for one key.
final class KeyOptionsReader {
  static final Set<String> NAMES =
      Set.of("decryptCache", "maxBackendRate", "maxBackendCalls", "localKek");

  private KeyOptionsReader() {}

  static KeyOptions read(YamlMap key) {
    return new KeyOptions(
        key.map("decryptCache").map(KeyOptionsReader::cache),
        new BackendLimit(
            (int) key.number("maxBackendRate", 0, 1, 100_000),
            (int) key.number("maxBackendCalls", 0, 1, 2_000)),
        localKek(key));
  }

  private static DecryptCache cache(YamlMap map) {
    map.allow(Set.of("entries", "ttl"), "decryptCache");
    return new DecryptCache(
        (int) map.number("entries", 1_000, 1, 10_000),
        map.duration("ttl", Duration.ofMinutes(5), Duration.ofSeconds(1), Duration.ofHours(24)));
  }

  /// Either a word, or the limits, which turn it on too.
  private static Optional<LocalKekLimits> localKek(YamlMap key) {
    if (key.isMap("localKek")) {
      return key.map("localKek").map(KeyOptionsReader::limits);
    }
    return key.text("localKek")
        .flatMap(word ->
            switch (word) {
              case "on", "true" -> Optional.of(LocalKekLimits.DEFAULT);
              case "off", "false" -> Optional.empty();
              default -> {
                key.wrong("localKek", "setting 'localKek' must be on, off or its limits: " + word);
                yield Optional.empty();
              }
            });
  }

  private static LocalKekLimits limits(YamlMap map) {
    map.allow(Set.of("maxAge", "maxUses"), "localKek");
    var otherwise = LocalKekLimits.DEFAULT;
    return new LocalKekLimits(
        map.duration("maxAge", otherwise.maxAge(), Duration.ofMinutes(1), Duration.ofDays(90)),
        map.number("maxUses", otherwise.maxUses(), 16, LocalKekLimits.MOST_USES));
  }
}
