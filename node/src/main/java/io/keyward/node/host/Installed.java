package io.keyward.node.host;

import java.io.UncheckedIOException;
import java.util.Optional;

/// The revision in the files of a node, so that the operator can compare it with the one it knows.
///
/// @param digest of its configuration as it is in the file now; empty where it cannot be read
public record Installed(long revision, String digest) {
  public static Optional<Installed> of(Host host) {
    try {
      long revision = host.revision();
      return revision == 0 ? Optional.empty() : Optional.of(new Installed(revision, digest(host)));
    } catch (UncheckedIOException _) {
      // The failure that is reported beside it says so.
      return Optional.empty();
    }
  }

  private static String digest(Host host) {
    try {
      return Hex.sha256(host.config());
    } catch (UncheckedIOException _) {
      return "";
    }
  }
}
