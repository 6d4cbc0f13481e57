package io.keyward.kms.pkcs11;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The PINs that tokens have refused. A token locks itself after a few wrong ones, and probes come
/// every few seconds: so a PIN is tried again only when its file has changed.
///
/// Shared by all keys of the process. Keeps salted digests, not PINs.
final class RefusedPins {
  private final byte[] salt = new byte[16];
  private final ConcurrentMap<String, String> refused = new ConcurrentHashMap<>();

  RefusedPins() {
    new SecureRandom().nextBytes(salt);
  }

  /// A PIN as a file gave it: what it is, and of when.
  record Attempt(String token, SecretFile file, String digest) {
    private String place() {
      return token + " " + file.path();
    }
  }

  Attempt attempt(String token, SecretFile file, String pin) {
    return new Attempt(token, file, digest(pin + " " + modified(file)));
  }

  boolean contains(Attempt attempt) {
    return attempt.digest().equals(refused.get(attempt.place()));
  }

  void add(Attempt attempt) {
    refused.put(attempt.place(), attempt.digest());
  }

  private static String modified(SecretFile file) {
    try {
      return Files.getLastModifiedTime(file.path()).toString();
    } catch (IOException e) {
      return ""; // it went away since it was read
    }
  }

  private String digest(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(salt);
      return HexFormat.of().formatHex(sha.digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
