package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/// Names the content of a Secret, to compare it; never published, since key bytes go into it.
final class Digest {
  private Digest() {}

  static String of(JsonNode data) {
    var sorted = new TreeMap<String, String>();
    data.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue().asText()));
    return of(sorted.toString());
  }

  static String of(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
  }
}
