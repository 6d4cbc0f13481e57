package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Which kinds of providers an EncryptionConfiguration has, for which resources. Nothing else of it
/// is kept: neither keys nor names of keys.
public final class ProviderKinds {
  private static final Set<String> KINDS =
      Set.of("aescbc", "aesgcm", "identity", "kms", "secretbox");
  private static final String IDENTITY = "identity";
  private static final String UNREADABLE = "a configuration that Keyward cannot read";
  private static final int MOST_NAMES = 5;

  private ProviderKinds() {}

  /// The kinds but identity, in words, for example `aescbc for secrets`. Empty where there is none
  /// but identity: nothing depends on such a configuration. Whatever is not understood may hold a
  /// key.
  public static Optional<String> existing(byte[] config) {
    return text(config)
        .flatMap(Json::read)
        .map(ProviderKinds::existing)
        .orElse(Optional.of(UNREADABLE));
  }

  private static Optional<String> text(byte[] config) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(config)).toString());
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> existing(JsonNode root) {
    var resources = new TreeMap<String, Set<String>>();
    boolean isUnderstood =
        root.path("kind").asText("").startsWith("EncryptionConfig")
            && root.path("resources").isArray()
            && !root.path("resources").isEmpty();
    for (JsonNode entry : root.path("resources")) {
      isUnderstood &= entry.path("resources").isArray() && !entry.path("providers").isEmpty();
      for (JsonNode provider : entry.path("providers")) {
        Optional<String> kind = kind(provider);
        isUnderstood &= kind.isPresent();
        kind.filter(word -> !word.equals(IDENTITY))
            .ifPresent(word ->
                entry
                    .path("resources")
                    .forEach(name ->
                        resources
                            .computeIfAbsent(word, _ -> new LinkedHashSet<>())
                            .add(name.asText(""))));
      }
    }
    if (!isUnderstood) {
      return Optional.of(UNREADABLE);
    }
    return resources.isEmpty()
        ? Optional.empty()
        : Optional.of(
            resources.entrySet().stream()
                .map(ProviderKinds::words)
                .collect(Collectors.joining(" and ")));
  }

  private static Optional<String> kind(JsonNode provider) {
    return provider.size() == 1 && provider.isObject()
        ? provider.properties().stream().map(Map.Entry::getKey).filter(KINDS::contains).findFirst()
        : Optional.empty();
  }

  private static String words(Map.Entry<String, Set<String>> one) {
    var names = new TreeSet<>(one.getValue());
    String few = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    return one.getKey()
        + " for "
        + few
        + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
  }
}
