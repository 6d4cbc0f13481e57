package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/// Which API servers do what Keyward relies on.
public final class ServerVersion {
  /// The first with KMS v2 for everybody.
  private static final int OLDEST = 29;

  private ServerVersion() {}

  /// The version of an API group that a server prefers; empty where it names none.
  public static String preferred(JsonNode group) {
    return group.path("preferredVersion").path("version").asText("");
  }

  /// In words, with what to do. What a server says that cannot be read is believed to be new.
  public static Optional<String> problem(JsonNode version) {
    String major = version.path("major").asText("");
    String minor = version.path("minor").asText("").replaceAll("[^0-9].*", "");
    boolean isKnown = major.equals("1") && !minor.isEmpty() && minor.length() < 5;
    return isKnown && Integer.parseInt(minor) < OLDEST
        ? Optional.of(
            "the API server is of Kubernetes 1."
                + minor
                + ", and Keyward needs 1."
                + OLDEST
                + " or newer; upgrade the cluster first")
        : Optional.empty();
  }
}
