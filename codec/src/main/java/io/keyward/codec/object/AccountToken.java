package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;

/// A token of a service account, as an API server issues it.
///
/// @param value goes into a request, and nowhere else
/// @param lifetime from the moment it was issued; the server may grant another one than requested
public record AccountToken(String value, Duration lifetime) {
  /// The body of a request for a token.
  public static ObjectNode request(Duration lifetime) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
    body.putObject("spec").put("expirationSeconds", lifetime.toSeconds());
    return body;
  }

  /// Absent where the response has no token.
  public static Optional<AccountToken> read(JsonNode response) {
    String value = response.path("status").path("token").asText("");
    long seconds = response.path("spec").path("expirationSeconds").asLong(0);
    return value.isEmpty() || seconds <= 0
        ? Optional.empty()
        : Optional.of(new AccountToken(value, Duration.ofSeconds(seconds)));
  }

  @Override
  public String toString() {
    return "a token for " + lifetime;
  }
}
