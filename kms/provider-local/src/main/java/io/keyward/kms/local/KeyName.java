package io.keyward.kms.local;

import java.util.regex.Pattern;

/// The name of a key in a key store. Lower case, because PKCS#12 aliases do not tell cases apart.
public record KeyName(String value) {
  private static final Pattern FORM = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  public KeyName {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "a key name has 1 to 63 lower-case letters, digits and dashes: " + value);
    }
  }
}
