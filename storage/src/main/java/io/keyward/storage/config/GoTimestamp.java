package io.keyward.storage.config;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/// The times that go-yaml accepts behind the tag `!!timestamp`.
public final class GoTimestamp {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4})-(\\d{1,2})-(\\d{1,2})"
              + "([Tt](\\d{1,2}):(\\d{1,2}):(\\d{1,2})([.,]\\d+)?(Z|[-+](\\d{2}):(\\d{2}))"
              + "| +(\\d{1,2}):(\\d{1,2}):(\\d{1,2})([.,]\\d+)?)?");

  private GoTimestamp() {}

  public static boolean matches(String text) {
    var matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return false;
    }
    try {
      LocalDate.of(number(matcher.group(1)), number(matcher.group(2)), number(matcher.group(3)));
    } catch (DateTimeException noSuchDay) {
      return false;
    }
    return number(matcher.group(5)) < 24
        && number(matcher.group(6)) < 60
        && number(matcher.group(7)) < 60
        && number(matcher.group(10)) <= 24
        && number(matcher.group(11)) < 60
        && number(matcher.group(12)) < 24
        && number(matcher.group(13)) < 60
        && number(matcher.group(14)) < 60;
  }

  private static int number(@org.jspecify.annotations.Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
