package io.keyward.core.sidecar;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// The images that contain Keyward, and so understand its arguments.
///
/// @param own the image that serves keys whose configuration names none; absent where the operator
///   does not know its own image
/// @param mirrors other names of that image, for example in a private registry
public record PluginImages(Optional<String> own, SortedSet<String> mirrors) {
  public static final PluginImages NONE =
      new PluginImages(Optional.empty(), Collections.emptySortedSet());

  public PluginImages {
    mirrors = Collections.unmodifiableSortedSet(new TreeSet<>(mirrors));
  }

  boolean isKeyward(String image) {
    return own.equals(Optional.of(image)) || mirrors.contains(image);
  }
}
