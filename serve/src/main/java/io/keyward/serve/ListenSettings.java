package io.keyward.serve;

import java.nio.file.Path;
import java.util.Optional;

/// Where a server listens and who may read its metrics.
///
/// @param tokenFile names the file with the bearer tokens, one per line; empty means that every
///   client may read the metrics
/// @param insecure allows an address that other machines can reach without TLS and a token
/// @param healthOnly serves no metrics, so that neither is needed
public record ListenSettings(
    ListenAddress address,
    Optional<TlsFiles> tls,
    Optional<Path> tokenFile,
    boolean insecure,
    boolean healthOnly) {
  public ListenSettings {
    if (!insecure
        && !healthOnly
        && !address.isLoopback()
        && (tls.isEmpty() || tokenFile.isEmpty())) {
      throw new IllegalArgumentException("reachable from other machines without TLS and a token");
    }
  }

  /// With metrics.
  public ListenSettings(
      ListenAddress address, Optional<TlsFiles> tls, Optional<Path> tokenFile, boolean insecure) {
    this(address, tls, tokenFile, insecure, false);
  }

  /// For this machine only, without TLS and token.
  public static ListenSettings loopback(int port) {
    return new ListenSettings(
        new ListenAddress("127.0.0.1", port), Optional.empty(), Optional.empty(), false);
  }
}
