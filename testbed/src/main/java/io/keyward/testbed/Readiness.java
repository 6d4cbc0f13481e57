package io.keyward.testbed;

import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.process.TestbedException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/// Asks a server's own endpoint whether it is ready.
public final class Readiness {
  /// A paused server never answers.
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Readiness() {}

  public static boolean saysYes(URI endpoint, Path ca, KeyPairFiles client) {
    try (var http = new ApiClient(endpoint, ca, client)) {
      return saysYes(http, endpoint.getPath());
    }
  }

  static boolean saysYes(ApiClient http, String path) {
    try {
      return http.get(path, PATIENCE).isOk();
    } catch (TestbedException _) {
      return false;
    }
  }
}
