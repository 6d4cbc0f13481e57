package io.keyward.kms.pkcs11;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/// Which keys of a token are versions of one KEK, and in which order: the greatest wraps.
sealed interface KeyChoice {
  /// Empty where the key is another one.
  OptionalLong order(String label, byte[] id);

  /// Exactly this label; or, where it ends in `*`, labels that go on with a number.
  record ByLabel(String value) implements KeyChoice {
    private static final int MAX_DIGITS = 18;

    public ByLabel {
      String begin = value.endsWith("*") ? value.substring(0, value.length() - 1) : value;
      if (begin.isBlank() || begin.contains("*")) {
        throw new IllegalArgumentException(
            "must be a label, or the beginning of labels with * at its end: " + value);
      }
    }

    @Override
    public OptionalLong order(String label, byte[] id) {
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

  /// `CKA_ID` in hexadecimal, oldest version first.
  record ById(List<String> ids) implements KeyChoice {
    public ById {
      ids = List.copyOf(ids);
    }

    static ById parse(String text) {
      var ids = new ArrayList<String>();
      for (String part : text.split(",", -1)) {
        String id = part.strip().toLowerCase(Locale.ROOT);
        if (!id.matches("([0-9a-f]{2}){1,64}")) {
          throw new IllegalArgumentException(
              "must be one or more ids in hexadecimal, with commas: " + text);
        }
        ids.add(id);
      }
      if (new HashSet<>(ids).size() < ids.size()) {
        throw new IllegalArgumentException("names one id twice: " + text);
      }
      return new ById(ids);
    }

    @Override
    public OptionalLong order(String label, byte[] id) {
      int at = ids.indexOf(HexFormat.of().formatHex(id));
      return at < 0 ? OptionalLong.empty() : OptionalLong.of(at);
    }
  }
}
