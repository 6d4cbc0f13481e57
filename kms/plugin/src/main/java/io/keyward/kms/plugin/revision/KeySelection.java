package io.keyward.kms.plugin.revision;

import java.util.Set;

/// Which keys of a revision a plugin serves.
public sealed interface KeySelection {
  /// All, except those that a plugin of the user or another image serves.
  record Usual() implements KeySelection {}

  /// Those with these numbers, also if they name an image. No key where there is no number.
  record Only(Set<String> serials) implements KeySelection {
    public Only {
      serials = Set.copyOf(serials);
    }
  }

  default boolean includes(String serial, boolean namesAnImage) {
    return switch (this) {
      case Usual _ -> !namesAnImage;
      case Only(var serials) -> serials.contains(serial);
    };
  }
}
