package io.keyward.storage.config.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.storage.config.GoTimestamp;
import io.keyward.storage.config.text.ConfigNode.Nothing;
import io.keyward.storage.config.text.ConfigNode.Numeral;
import io.keyward.storage.config.text.ConfigNode.Text;
import io.keyward.storage.config.text.ConfigNode.Truth;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What a scalar means: YAML 1.1 as go-yaml resolves it, where `no` is not a text.
final class ScalarResolver {
  private static final String PREFIX = "tag:yaml.org,2002:";
  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

  /// Longer ones are no numbers of 64 bits, with any prefix, unless they are zeros.
  private static final Pattern INTEGER =
      Pattern.compile("([-+]?)(0[bB][01]+|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)");

  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private enum Kind {
    NULL,
    BOOL,
    INT,
    FLOAT,
    STR
  }

  private record Resolved(Kind kind, ConfigNode node) {}

  private ScalarResolver() {}

  static ConfigNode resolve(YamlNode.Scalar scalar) {
    int line = scalar.line();
    String value = scalar.value();
    if (scalar.tag().isEmpty()) {
      return scalar.implicit() ? guess(value, line).node() : new Text(value, line);
    }
    String tag = scalar.tag().startsWith(PREFIX) ? scalar.tag().substring(PREFIX.length()) : "";
    return switch (tag) {
      case "null" -> typed(Kind.NULL, value, line);
      case "bool" -> typed(Kind.BOOL, value, line);
      case "int" -> typed(Kind.INT, value, line);
      case "float" -> typed(Kind.FLOAT, value, line);
      case "timestamp" -> timestamp(value, line);
      case "binary" -> binary(value, line);
      default -> new Text(value, line);
    };
  }

  private static ConfigNode typed(Kind kind, String value, int line) {
    Resolved resolved = guess(value, line);
    boolean fits =
        resolved.kind() == kind
            || (kind == Kind.FLOAT && resolved.kind() == Kind.INT && fitsLong(resolved.node()));
    if (!fits) {
      throw new SyntaxException("A value does not have the type of its tag.", line);
    }
    return resolved.node();
  }

  private static boolean fitsLong(ConfigNode node) {
    return node instanceof Numeral number && new BigInteger(number.literal()).bitLength() < 64;
  }

  private static ConfigNode timestamp(String value, int line) {
    if (!GoTimestamp.matches(value)) {
      throw new SyntaxException("A value with the tag !!timestamp is not a time.", line);
    }
    return new Text(value, line);
  }

  private static ConfigNode binary(String value, int line) {
    String bare = value.replace("\r", "").replace("\n", "");
    try {
      if (bare.length() % 4 == 0) {
        return new Text(new String(Base64.getDecoder().decode(bare), UTF_8), line);
      }
    } catch (IllegalArgumentException notBase64) {
      // Said below, as for a missing padding.
    }
    throw new SyntaxException("A value with the tag !!binary is not base64.", line);
  }

  private static Resolved guess(String value, int line) {
    if (NULLS.contains(value)) {
      return new Resolved(Kind.NULL, new Nothing(line));
    }
    if (TRUE.contains(value) || FALSE.contains(value)) {
      return new Resolved(Kind.BOOL, new Truth(TRUE.contains(value), line));
    }
    // JSON has no such number. It fits no field, so any literal that is no integer will do.
    if (NOT_FINITE.matcher(value).matches()) {
      return new Resolved(Kind.FLOAT, new Numeral("1e999", line));
    }
    char first = value.charAt(0);
    Optional<Resolved> number = Optional.empty();
    if (first == '.') {
      number = decimal(value, line);
    } else if (first == '+' || first == '-' || (first >= '0' && first <= '9')) {
      String plain = value.replace("_", "");
      number = integer(plain, line).or(() -> decimal(plain, line));
    }
    return number.orElseGet(() -> new Resolved(Kind.STR, new Text(value, line)));
  }

  private static Optional<Resolved> integer(String plain, int line) {
    var matcher = INTEGER.matcher(plain);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String digits = matcher.group(2).toLowerCase(Locale.ROOT);
    int radix = 10;
    if (digits.length() > 1 && digits.charAt(0) == '0') {
      char prefix = digits.charAt(1);
      radix = prefix == 'b' ? 2 : prefix == 'x' ? 16 : 8;
      digits = digits.substring(prefix >= '0' && prefix <= '9' ? 1 : 2);
    }
    digits = digits.replaceFirst("^0+(?=.)", "");
    if (digits.length() > 64) {
      return Optional.empty();
    }
    var number = new BigInteger(digits, radix);
    boolean signed = !matcher.group(1).isEmpty();
    number = matcher.group(1).equals("-") ? number.negate() : number;
    // Go reads a number with a sign as 64 bits with a sign, and others as 64 bits without one.
    boolean fits =
        signed ? number.bitLength() < 64 && number.compareTo(MIN) >= 0 : number.compareTo(MAX) <= 0;
    return fits
        ? Optional.of(new Resolved(Kind.INT, new Numeral(number.toString(), line)))
        : Optional.empty();
  }

  private static Optional<Resolved> decimal(String plain, int line) {
    if (!NUMBER.matcher(plain).matches()) {
      return Optional.empty();
    }
    double number = Double.parseDouble(plain);
    if (Double.isInfinite(number)) {
      return Optional.empty();
    }
    // Go writes a whole number without a point, up to 10^21.
    String literal =
        number == Math.rint(number) && Math.abs(number) < 1e21
            ? new BigDecimal(number).toBigInteger().toString()
            : Double.toString(number);
    return Optional.of(new Resolved(Kind.FLOAT, new Numeral(literal, line)));
  }
}
