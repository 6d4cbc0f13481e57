package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.TreeMap;

/// Names the content of a Secret, to compare it. The operator publishes none of these digests.
public final class ContentDigest {
  private ContentDigest() {}

  public static String of(JsonNode data) {
    var sorted = new TreeMap<String, String>();
    data.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue().asText()));
    return of(sorted.toString());
  }

  /// Of the configuration in a Secret, as a node agent finds it in its file.
  public static String ofConfig(JsonNode secret) {
    try {
      return of(
          Base64.getDecoder().decode(secret.path("data").path("encryption-config").asText("")));
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String of(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
  }
}
