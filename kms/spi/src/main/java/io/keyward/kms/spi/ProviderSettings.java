package io.keyward.kms.spi;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What was configured for one key, by setting name. Reading a value checks how it is written.
public final class ProviderSettings {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private final Map<String, String> values;

  public ProviderSettings(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public String requiredText(String name) {
    return text(name).orElseThrow(() -> new SettingsException(name, "is missing"));
  }

  public Path requiredFile(String name) {
    String value = requiredText(name);
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new SettingsException(name, "is not a path: " + value);
    }
  }

  public Duration duration(String name, Duration otherwise) {
    return text(name).map(value -> parseDuration(name, value)).orElse(otherwise);
  }

  public static Duration parseDuration(String name, String value) {
    Matcher matcher = DURATION.matcher(value);
    if (!matcher.matches()) {
      throw new SettingsException(
          name, "must be a number and a unit (ms, s, m or h), for example 500ms or 10s: " + value);
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }
}
