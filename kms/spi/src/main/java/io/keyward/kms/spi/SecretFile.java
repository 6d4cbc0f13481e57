package io.keyward.kms.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/// A file that holds one credential: a token, a PIN, a client secret. Read again at every use, so
/// that a credential that was replaced is picked up without a restart.
///
/// The credential is never part of a message or of `toString`.
public record SecretFile(Path path) {
  /// More than any token has; a wrong path must not fill the memory.
  private static final int MAX_BYTES = 64 * 1024;

  /// What the file holds now, without white space around it.
  ///
  /// @throws KmsException of kind `UNAVAILABLE` if it is missing, unreadable, empty or too long: it
  ///   may be there the next time
  public String read() {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw problem("does not exist");
    } catch (IOException e) {
      throw problem("cannot be read");
    }
    if (bytes.length > MAX_BYTES) {
      throw problem("is too long to be a credential");
    }
    String credential = new String(bytes, UTF_8).strip();
    if (credential.isEmpty()) {
      throw problem("is empty");
    }
    return credential;
  }

  private KmsException problem(String what) {
    return new KmsException(
        KmsException.Kind.UNAVAILABLE,
        "a file with credentials " + what,
        Map.of("file", path.toString()));
  }
}
