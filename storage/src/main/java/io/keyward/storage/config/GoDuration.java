package io.keyward.storage.config;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Durations as Go writes them: `1h2m3.5s`.
final class GoDuration {
  private static final Pattern WHOLE =
      Pattern.compile("([-+]?)((?:(?:\\d+\\.?\\d*|\\.\\d+)(?:ns|us|µs|μs|ms|s|m|h))+)");
  private static final Pattern PART =
      Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final int MAX_TEXT = 200;

  private GoDuration() {}

  static Optional<Duration> parse(String text) {
    if (text.matches("[-+]?0")) {
      return Optional.of(Duration.ZERO);
    }
    Matcher whole = WHOLE.matcher(text);
    if (text.length() > MAX_TEXT || !whole.matches()) {
      return Optional.empty();
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(whole.group(2));
    while (part.find()) {
      nanos =
          nanos.add(
              new BigDecimal(part.group(1))
                  .multiply(BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L))));
    }
    BigInteger total = nanos.toBigInteger();
    return total.bitLength() > 63
        ? Optional.empty()
        : Optional.of(
            Duration.ofNanos(
                whole.group(1).equals("-") ? -total.longValueExact() : total.longValueExact()));
  }
}
