package io.keyward.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tokens that open the metrics: the lines of a file. The file is read for every request, which
/// comes a few times a minute; so a new token counts at once, and none stays in memory. Two lines
/// let a token be replaced while clients still send the previous one.
final class BearerTokens {
  private static final Logger LOG = System.getLogger(BearerTokens.class.getName());
  private static final String SCHEME = "Bearer ";
  private static final int MAX_BYTES = 1 << 16;

  private final Path file;

  private BearerTokens(Path file) {
    this.file = file;
  }

  /// @throws ListenFailure if the file has no token
  static BearerTokens in(Path file) {
    var tokens = new BearerTokens(file);
    try {
      if (tokens.read().isEmpty()) {
        throw new ListenFailure("the token file " + file + " is empty", "write a token to it");
      }
      return tokens;
    } catch (IOException e) {
      throw new ListenFailure(
          "cannot read the token file " + file, "check its path, owner and mode", e);
    }
  }

  /// Whether the header of a request holds one of the tokens. Takes as long for a wrong token as
  /// for a right one, and never logs either.
  boolean accept(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    byte[] given = digest(authorization.substring(SCHEME.length()).strip());
    boolean found = false;
    try {
      for (String token : read()) {
        // Digests have one length, so the time tells nothing about the length of a token either.
        found |= MessageDigest.isEqual(digest(token), given);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot read the token file {0}; metrics are refused", file);
    }
    return found;
  }

  private List<String> read() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(MAX_BYTES), UTF_8);
      return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
