package io.keyward.kms.plugin.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/// Finds the name a person probably meant.
final class NearestName {
  private NearestName() {}

  /// What to say after an unknown name: the one that was probably meant, or all there are.
  static String hint(String given, Collection<String> known) {
    return of(given, known)
        .map(near -> "; did you mean '" + near + "'?")
        .orElseGet(() -> "; known are " + String.join(", ", new TreeSet<>(known)));
  }

  private static Optional<String> of(String given, Collection<String> known) {
    int tolerated = Math.max(2, given.length() / 3);
    return known.stream()
        .filter(name -> distance(given, name) <= tolerated)
        .min(Comparator.comparingInt((String name) -> distance(given, name)).thenComparing(n -> n));
  }

  /// How many letters must be changed, added or removed; case and dashes do not count.
  private static int distance(String a, String b) {
    String from = plain(a);
    String to = plain(b);
    if (!from.equals(to) && from.length() > 3 && to.startsWith(from)) {
      return 1; // a word too few or too many: password, passwordFile
    }
    var row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }
}
