package io.keyward.kms.pkcs11;

import java.util.OptionalLong;

/// Which keys of a token are versions of one KEK: those with exactly this label, or, where it ends
/// in `*`, those whose label goes on with a number. The highest number is the newest version.
record LabelPattern(String value) {
  private static final int MAX_DIGITS = 18;

  LabelPattern {
    String begin = value.endsWith("*") ? value.substring(0, value.length() - 1) : value;
    if (begin.isBlank() || begin.contains("*")) {
      throw new IllegalArgumentException(
          "must be a label, or the beginning of labels with * at its end: " + value);
    }
  }

  /// The version that a label means; empty where it belongs to another key.
  OptionalLong version(String label) {
    if (!value.endsWith("*")) {
      return label.equals(value) ? OptionalLong.of(0) : OptionalLong.empty();
    }
    String begin = value.substring(0, value.length() - 1);
    if (!label.startsWith(begin)) {
      return OptionalLong.empty();
    }
    String number = label.substring(begin.length());
    return number.matches("[0-9]{1," + MAX_DIGITS + "}")
        ? OptionalLong.of(Long.parseLong(number))
        : OptionalLong.empty();
  }
}
