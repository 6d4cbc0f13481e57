package io.keyward.core.model.key;

import java.util.Optional;

/// An administrator's request to re-encrypt everything under the same key, and the last such
/// request that was taken up. Any text that differs from it is a new request.
public record Reencryption(Optional<String> requested, Optional<String> served) {
  public static final Reencryption NONE = new Reencryption(Optional.empty(), Optional.empty());

  /// The request that still has to be taken up.
  public Optional<String> open() {
    return requested.filter(one -> !one.isEmpty() && !Optional.of(one).equals(served));
  }

  /// The same once a request was taken up.
  public Reencryption serving(String request) {
    return new Reencryption(requested, Optional.of(request));
  }
}
